"""The quality gates of a change: which apply, how their tools are run, what is kept of them."""
