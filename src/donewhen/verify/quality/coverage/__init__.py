"""Coverage: reports of every format as lines that ran or did not, and how to have them measured."""
