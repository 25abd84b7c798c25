"""A long conversation with a tiny real model, started by scripts/soak-local-model; no test."""
