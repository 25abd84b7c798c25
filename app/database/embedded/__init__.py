"""The embedded database: a MongoDB wire server that runs as our child process.

daemon.py says which program it is, process.py runs it once, orphans.py ends what a killed
predecessor left behind, restart_rule.py says how often to try again, running.py finds one that
runs, supervisor.py is the whole.
"""

from app.database.embedded.running import running_uri
from app.database.embedded.supervisor import EmbeddedDatabase

__all__ = ["EmbeddedDatabase", "running_uri"]
