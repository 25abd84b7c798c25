"""Set-up, locks, container and the pages that must agree with them."""

from pathlib import Path

ROOT = Path(__file__).parents[3]
