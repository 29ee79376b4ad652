"""A bot for the arena and the bridge: one line of JSON in, one out. It takes what brings most by its own few rules.

    playledger arena --game ecopolis --seat "python3 examples/arena_bot.py" --seat level:easy --games 100
"""

import json
import random
import sys

WORTH = {
    "ecopolis": {"implement_action": 9, "buy_territory": 8, "buy_credits": 7, "roll": 6, "end_turn": 5},
    "industrial-waste": {"complete_order": 9, "innovate": 8, "grow": 7, "dispose_waste": 6, "remove_waste": 6},
}


def choose(asked):
    worth = dict(WORTH[asked["ruleset"]])
    if asked["ruleset"] == "ecopolis" and asked["view"]["seats"][asked["seat"]]["euros"] < 3000:
        worth["buy_territory"] = 0  # Somebody's rent will be asked for.
    best = max(asked["legal"]["commands"], key=lambda listed: (worth.get(listed["command"]["type"], 1), random.random()))
    command = best["command"]
    # An amount may be anything between two ends; a bot that bids all it has is soon poor.
    if best.get("vary") and command["type"] == "take_loan":
        return next(listed["command"] for listed in asked["legal"]["commands"] if listed is not best)
    return command


for line in sys.stdin:
    print(json.dumps(choose(json.loads(line))), flush=True)
