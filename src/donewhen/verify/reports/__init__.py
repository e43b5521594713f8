"""What an exam said: machine reports, printed failures, and the code around a place."""
