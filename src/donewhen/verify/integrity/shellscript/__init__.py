"""Shell scripts: the literals by which they decide and answer, and what shell tests ask."""
