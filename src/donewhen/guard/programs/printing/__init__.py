"""What programs print, where arguments and input tell."""
