"""Go files read for integrity: the testing package and the assertion libraries people use with it."""
