"""Java files read for integrity: JUnit 3 to 5 and TestNG, with the assertion libraries used beside them."""
