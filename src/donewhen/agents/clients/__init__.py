"""Other people's agents as programs: how each is called, gone on with, and read."""
