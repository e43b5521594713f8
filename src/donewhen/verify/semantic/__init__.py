"""The semantic verifier: a reviewer is asked, its answers are checked, and what they are worth is told."""
