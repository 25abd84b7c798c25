"""Room: the use cases.

Lives here: read, ask a law, write. Ports to the outside stand in ports.py.
May import: app.database, app.prompts, app.memory, app.domain and the leaves.
Touches: the database through stores, the model, the channel through a port.
Tested by: tests/unit (with in-memory stores), tests/integration.
"""
