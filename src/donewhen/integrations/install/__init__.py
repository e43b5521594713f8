"""Gate the agents that people already use: our hooks in their settings, in and out without a trace."""
