"""Words to the marked texts that a command would get, as bash expands them."""
