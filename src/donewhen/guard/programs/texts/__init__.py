"""Programs that read texts and show them."""
