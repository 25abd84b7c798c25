"""Measurements of the running bot, started by scripts/bench. Nothing here passes or fails."""
