"""What an agent can do. Each tool does one thing and says what it did; who may do it is decided elsewhere."""
