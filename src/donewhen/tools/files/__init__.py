"""The file tools: read, write, edit, delete, move, list, find. None leaves the workspace."""
