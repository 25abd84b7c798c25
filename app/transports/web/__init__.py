"""Room: plain HTTP: health, metrics, the webhook's door, and the server that carries them.

Lives here: Starlette apps that hand over to services, and uvicorn in our own loop.
May import: app.services, app.domain and the leaves. Touches: listening sockets.
Tested by: tests/integration/test_web.py, over real HTTP.
"""

from app.services.http_server import HttpServer
from app.transports.web.health import health_app
from app.transports.web.webhook import webhook_app

__all__ = ["HttpServer", "health_app", "webhook_app"]
