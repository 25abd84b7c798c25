"""Room: documents in and out.

Lives here: one store a collection, models.py (document and domain object), schema.py (collections
and indexes), connection.py (the driver's only importer), embedded (the database's own process,
when no server is named), instance_lock.py, contents.py and dump.py (what backups are made of).
It never decides.
May import: app.memory, app.domain and the leaves; bson in dump.py alone.
Touches: the database, and DATA_DIR.
Tested by: tests/contract (each store against a stand-in and the embedded server),
tests/unit/database.
"""
