"""Programs that find files and run others on them."""
