"""Negative controls: faults put into a copy of the product, each of which a test must notice."""
