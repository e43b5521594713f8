"""What each gate wants run on a change: a plan of tools, or the reason why there is none. Nothing is run."""
