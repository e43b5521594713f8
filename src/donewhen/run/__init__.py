"""The engine's room: what drives a run. For now it plays stories through the pure core."""
