"""Programs that fetch and send."""
