"""Room: the ways in and out."""
