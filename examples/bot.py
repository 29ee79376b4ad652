"""A bot that plays both seats of a table to the end, and has the game verified. Python's standard library is all it needs.

    python3 examples/bot.py http://127.0.0.1:8080 ecopolis
"""

import json
import sys
import urllib.error
import urllib.request
import uuid


class Player:
    """An account, and requests with its token."""

    def __init__(self, server, name):
        self.server, self.token = server, None
        self.token = self.post("/v1/players", {"name": name})["token"]

    def ask(self, method, path, body=None, key=None):
        headers = {"Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key:
            # The same request under the same key is carried out once, however often it has to be sent.
            headers["Idempotency-Key"] = key
        request = urllib.request.Request(self.server + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.read()
        except urllib.error.HTTPError as refused:
            problem = json.load(refused)
            raise SystemExit(f"{method} {path}: {problem['code']}: {problem['detail']}") from None

    def get(self, path):
        return json.loads(self.ask("GET", path))

    def post(self, path, body):
        key = str(uuid.uuid4()) if self.token else None
        return json.loads(self.ask("POST", path, json.dumps(body).encode(), key))


def choose(commands):
    """Whatever is listed first, but no loans: a game of nothing but loans is a dull one."""
    wanted = [listed["command"] for listed in commands if listed["command"]["type"] != "take_loan"]
    return wanted[0]


def play(server, ruleset):
    players = [Player(server, name) for name in ("Ada", "Bob")]
    game = players[0].post("/v1/games", {"ruleset": ruleset, "seats": 2, "title": "Two bots"})["id"]
    players[1].post(f"/v1/games/{game}/seats", {})
    view = players[0].get(f"/v1/games/{game}/view?with=legal")
    commands = 0
    while view["to_act"]:
        seat = view["to_act"][0]
        if view["viewer"] != {"seat": seat}:
            view = players[seat].get(f"/v1/games/{game}/view?with=legal")
        command = {"expected_seq": view["seq"], "command": choose(view["legal"]["commands"])}
        # The answer has the next view, and with it what may be done next.
        view = players[seat].post(f"/v1/games/{game}/commands?with=legal", command)["view"]
        commands += 1
    print(f"{ruleset}: {commands} commands. {players[0].get(f'/v1/games/{game}/view?words=true')['prompt']}")
    # A replay is verified as it was downloaded, to the very byte.
    replay = players[0].ask("GET", f"/v1/games/{game}/replay")
    checks = json.loads(players[0].ask("POST", "/v1/audits", replay))["checks"]
    for check in checks:
        print(f"  {check['outcome']:8}{check['name']}")
    return all(check["outcome"] != "fail" for check in checks)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    rulesets = sys.argv[2:] or ["industrial-waste", "ecopolis"]
    if not all([play(sys.argv[1].rstrip("/"), ruleset) for ruleset in rulesets]):
        raise SystemExit("a check failed")
