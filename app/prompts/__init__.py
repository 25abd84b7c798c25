"""Room: what the model is told.

Lives here: the system prompt, the shape of the reply, how quoted data is fenced.
May import: app.memory, app.domain. Touches: nothing.
Tested by: tests/unit.
"""
