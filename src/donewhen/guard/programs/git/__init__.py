"""git, and other version control."""
