"""Room: Telegram, through python-telegram-bot; the only importer of telegram.

Lives here: update -> Incoming, polling that never loses an update, the webhook's registration,
and the Channel that sends.
May import: app.services, app.domain and the leaves. Touches: the Bot API over HTTP.
Tested by: tests/integration, against the playground's Bot API.
"""

import os

# python-telegram-bot reads this when it is imported: durations as timedelta, without a warning.
os.environ.setdefault("PTB_TIMEDELTA", "true")
