"""Room: what the model is told when it works on memory, and how its answers are read.

Lives here: the prompts of extraction, compression and consolidation, the dated transcript, and
the forgiving but strict reading of rows. May import: app.memory, app.domain, app.prompts.
Touches: nothing. Tested by: tests/unit/prompts.
"""
