"""The engine of a run: its states, its turns, its validation and what follows from it."""
