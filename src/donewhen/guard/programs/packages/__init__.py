"""Package managers, runners, publishing."""
