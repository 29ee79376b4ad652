"""Plays any game of a playledger in a terminal: python3 examples/terminal.py http://127.0.0.1:8080 --lang it

Everything that it knows of a game it asks for: what may be done comes in words, and names come from the catalogue.
"""

import argparse
import json
import os
import pathlib
import urllib.error
import urllib.request
import uuid

SAY = {
    "en": {
        "name": "Your name", "recovery": "Write this down; it brings your account back",
        "menu": "[n] new table   [c] join by code   [r] refresh   [q] quit   or a number", "mine": "Your games",
        "open": "Open tables", "none": "  none", "which": "Which game", "seats": "Seats", "code": "Code",
        "private": "For those with the code only? (y/n)", "yours": "Waits for you", "invite": "Invite others with this code",
        "choose": "Number, [f] free form, [l] log, [b] back", "wait": "Waiting ... (Ctrl-C to leave)", "from": "from {} to {}",
        "kind": "Which kind", "rule": "rule", "over": "Press Enter", "bye": "Goodbye.", "list": "(several: a, b)",
    },
    "it": {
        "name": "Il tuo nome", "recovery": "Annotalo: serve a recuperare il tuo account",
        "menu": "[n] nuovo tavolo   [c] entra con un codice   [r] aggiorna   [q] esci   o un numero", "mine": "Le tue partite",
        "open": "Tavoli aperti", "none": "  nessuno", "which": "Quale gioco", "seats": "Posti", "code": "Codice",
        "private": "Solo per chi ha il codice? (s/n)", "yours": "Aspetta te", "invite": "Invita altri con questo codice",
        "choose": "Numero, [f] forma libera, [l] cronaca, [b] indietro", "wait": "Si aspetta ... (Ctrl-C per uscire)",
        "from": "da {} a {}", "kind": "Di che tipo", "rule": "regola", "over": "Premi Invio", "bye": "A presto.",
        "list": "(più d'uno: a, b)",
    },
}


class Refused(Exception):
    """What the server says of a request that it does not carry out, in the player's language."""


class Server:
    def __init__(self, url, lang):
        self.url, self.lang, self.token = url.rstrip("/"), lang, None

    def send(self, method, path, body=None, **headers):
        headers |= {"Accept-Language": self.lang, "Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=90) as answer:
                return json.load(answer), answer.headers.get("ETag")
        except urllib.error.HTTPError as refused:
            if refused.code == 304:
                return None, headers.get("If-None-Match")
            problem = json.load(refused)
            rule = f" ({SAY[self.lang]['rule']} {problem['rule']})" if "rule" in problem else ""
            raise Refused(problem["detail"] + rule) from None

    def get(self, path):
        return self.send("GET", path)[0]

    def post(self, path, body):
        return self.send("POST", path, body)[0]


class Client:
    def __init__(self, server, file):
        self.server, self.say, self.file = server, SAY[server.lang], file
        self.catalogues, self.document = {}, None

    def ask(self, key):
        return input(f"{self.say[key]}: ").strip()

    def sign_in(self):
        if self.file.exists():
            self.server.token = json.loads(self.file.read_text())["token"]
        else:
            created = self.server.post("/v1/players", {"name": self.ask("name")})
            kept = {"token": created["token"], "recovery": created["recovery"]}
            with os.fdopen(os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                json.dump(kept, file)
            print(f"{self.say['recovery']}: {kept['recovery']}")
            self.server.token = kept["token"]
        self.me = self.server.get("/v1/me")

    def home(self):
        while True:
            mine = [game for game in self.server.get("/v1/me/games?limit=50")["items"] if not game["finished_at"]]
            known = {game["id"] for game in mine}
            tables = [game for game in self.server.get("/v1/games?seats_free=1")["items"] if game["id"] not in known]
            for title, some, first in (("mine", mine, 1), ("open", tables, len(mine) + 1)):
                lines = [f"  {number}. {self.line(game)}" for number, game in enumerate(some, first)]
                print(f"\n{self.say[title]}", *(lines or [self.say["none"]]), sep="\n")
            choice = self.ask("menu")
            if choice == "q":
                return print(self.say["bye"])
            try:
                self.enter(choice, mine, tables)
            except Refused as refused:
                print(f"!! {refused}")

    def enter(self, choice, mine, tables):
        if choice == "n":
            self.play(self.create())
        elif choice == "c":
            seat = {"invite": self.ask("code")}
            game = self.server.get(f"/v1/invites/{seat['invite']}")["id"]
            self.play(self.server.post(f"/v1/games/{game}/seats", seat)["id"])
        elif choice.isdigit() and 1 <= int(choice) <= len(mine + tables):
            game = (mine + tables)[int(choice) - 1]
            if game in tables:
                self.server.post(f"/v1/games/{game['id']}/seats", {})
            self.play(game["id"])

    def line(self, game):
        names = [(seat["player"] or {}).get("name") or "·" for seat in game["seats"]]
        mine = [seat["seat"] for seat in game["seats"] if seat["player"] and seat["player"]["id"] == self.me["id"]]
        waits = f"   << {self.say['yours']}" if set(mine) & set(game["to_act"] + game["waits_for"]) else ""
        return f"{game['title'] or game['ruleset']}: {', '.join(names)} ({game['status']}){waits}"

    def create(self):
        rulesets = self.server.get("/v1/rulesets")["items"]
        print("\n".join(f"  {number}. {one['name']}: {one['summary']}" for number, one in enumerate(rulesets, 1)))
        ruleset = rulesets[int(self.ask("which")) - 1]
        options = {}
        for name, option in ruleset["options"]["properties"].items():
            about = ", ".join(f"{one['const']} {one['title']}" for one in option.get("anyOf", []) if one) or option["description"]
            if given := input(f"{option['title']} ({about}) [{json.dumps(option['default'])}]: ").strip():
                options[name] = given if option.get("type") == "string" else json.loads(given)
        hidden = self.ask("private")[:1].lower() in ("y", "s")
        new = {"ruleset": ruleset["id"], "seats": int(self.ask("seats")), "options": options}
        game = self.server.post("/v1/games", new | {"visibility": "private" if hidden else "public"})
        print(f"{self.say['invite']}: {game['invite']}" if "invite" in game else "")
        return game["id"]

    def play(self, game):
        seen, tag = -1, None
        while True:
            wait = "&wait=25" if tag else ""
            path = f"/v1/games/{game}/view?with=legal&words=true{wait}"
            view, tag = self.server.send("GET", path, **({"If-None-Match": tag} if tag else {}))
            if view is None:
                continue
            seen = self.tell(game, seen, view["seq"])
            legal = (view["legal"] or {}).get("commands", [])
            acts = {"seat": (view["to_act"] or [None])[0]} == view["viewer"]
            if view["state"] and (acts or view["status"] == "finished"):
                self.show(view["state"], self.names(view["ruleset"]))
            print(f"\n>> {view['prompt']}")
            if view["status"] in ("finished", "void"):
                return self.ask("over")
            if not acts:
                print(self.say["wait"])
                continue
            for number, listed in enumerate(legal, 1):
                ends = self.ends(listed["vary"]) if listed["vary"] else ""
                print(f"  {number}. {listed['text']} {ends}")
            choice = self.ask("choose")
            if choice == "b":
                return None
            tag, seen = None, -1 if choice == "l" else seen
            if command := self.command(choice, legal, view):
                try:
                    self.server.post(f"/v1/games/{game}/commands", {"expected_seq": view["seq"], "command": command})
                except Refused as refused:
                    print(f"!! {refused}")

    def tell(self, game, seen, newest):
        while seen < newest:
            items = self.server.get(f"/v1/games/{game}/events?words=true&limit=100&after={seen}")["items"]
            for item in items:
                print("\n".join(f"   {event['text']}" for event in item["events"]))
            seen = items[-1]["seq"] if items else newest
        return seen

    def command(self, choice, legal, view):
        if choice == "f" and (kinds := view["legal"]["free_form"]):
            kind = kinds[0] if len(kinds) == 1 else input(f"{self.say['kind']} {kinds}: ").strip()
            self.document = self.document or self.server.get("/openapi.json")
            schema = f"{view['ruleset'].replace('-', '_')}.Command.{kind}"
            return self.fill(self.document["components"]["schemas"][schema], "") | {"type": kind}
        if not choice.isdigit() or not 1 <= int(choice) <= len(legal):
            return None
        vary, command = legal[int(choice) - 1]["vary"], dict(legal[int(choice) - 1]["command"])
        if vary:
            given = input(f"{vary['field']} {self.ends(vary)}: ").strip()
            command[vary["field"]] = int(given) if given.isdigit() else command[vary["field"]]
        return command

    def ends(self, vary):
        return f"[{self.say['from'].format(vary['min'], vary['max'])}]"

    def fill(self, schema, place):
        if "$ref" in schema:
            return self.fill(self.document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], place)
        if "properties" in schema:
            fields = {name: field for name, field in schema["properties"].items() if "const" not in field}
            return {name: self.fill(field, f"{place} {name}".strip()) for name, field in fields.items()}
        is_list = schema.get("type") == "array"
        given = input(f"{place} {self.say['list'] if is_list else ''}: ").strip()
        if is_list:
            return [word.strip() for word in given.split(",") if word.strip()]
        return given.lower() in ("y", "s", "true", "1") if schema.get("type") == "boolean" else int(given or 0)

    def names(self, ruleset):
        """What everything is called: the fields of the state by their names, and what they hold by its id."""
        if ruleset not in self.catalogues:
            catalogue = self.server.get(f"/v1/rulesets/{ruleset}/catalogue")
            things = ("cards", "areas", "territories", "events", "zones", "phases")
            named = [catalogue["fields"], [one for part in things for one in catalogue[part]]]
            self.catalogues[ruleset] = [{one["id"]: one["name"] for one in part} for part in named]
        return self.catalogues[ruleset]

    def show(self, value, names, depth=1):
        fields, margin = names[0], "  " * depth
        for key, part in value.items():
            if isinstance(part, dict):
                print(f"{margin}{fields.get(key, key)}")
                self.show(part, names, depth + 1)
            elif isinstance(part, list) and part and isinstance(part[0], dict):
                print(f"{margin}{fields.get(key, key)}")
                for one in part:
                    print(f"{margin}  - {'; '.join(self.word({name: field}, names) for name, field in one.items())}")
            elif part not in (None, [], {}):
                print(f"{margin}{fields.get(key, key)}: {self.word(part, names)}")

    def word(self, value, names):
        if isinstance(value, list):
            return ", ".join(self.word(one, names) for one in value) or "-"
        if isinstance(value, dict):
            return ", ".join(f"{names[0].get(name, name)} {self.word(one, names)}" for name, one in value.items())
        if value is None or isinstance(value, bool):
            return "+" if value else "-"
        return names[1].get(value, value) if isinstance(value, str) else str(value)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("--lang", choices=SAY, default="it" if os.environ.get("LANG", "").startswith("it") else "en")
    parser.add_argument("--account", type=pathlib.Path, default=pathlib.Path("playledger-account.json"))
    given = parser.parse_args()
    client = Client(Server(given.server, given.lang), given.account)
    try:
        client.sign_in()
        client.home()
    except (KeyboardInterrupt, EOFError):
        print()
