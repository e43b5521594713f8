"""Verifiers: they run the exam and read what it says, and never decide whether a change is accepted."""
