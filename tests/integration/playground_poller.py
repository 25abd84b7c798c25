"""The least that counts as a bot: polls for ever, with nothing but the standard library."""

import json
import os
import urllib.request

offset = 0
while True:
    url = f"{os.environ['BOT_BASE']}{os.environ['BOT_TOKEN']}/getUpdates?timeout=20&offset={offset}"
    with urllib.request.urlopen(url) as response:
        for update in json.load(response)["result"]:
            offset = update["update_id"] + 1
