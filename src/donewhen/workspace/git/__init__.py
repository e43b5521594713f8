"""git as the harness uses it: nothing that a repository says is run, nothing of the user's is written."""
