"""The pure core: decisions and data. No I/O, no clock, no randomness, nothing but the standard library."""
