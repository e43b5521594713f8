"""Programs that pack and unpack."""
