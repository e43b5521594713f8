"""Running commands: started under a supervisor, read as they go, gone with all they started.

`run` runs one to its end, `Background` keeps several. Nothing here asks whether a command may run.
"""
