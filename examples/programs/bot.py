"""A player as a program of its own: answers with the first option. See docs/bots.md for the lines.

./run play first-battle --player "japan=exec:python3 examples/programs/bot.py"
"""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    first = message.get("options", [None])[0]
    print(json.dumps({"ask": message["ask"], "choose": first["text"]} if first else {"flagplot": 1}), flush=True)
