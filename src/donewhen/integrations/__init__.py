"""Other agents under the same gate: their hooks, the sessions behind them, and how both are installed."""
