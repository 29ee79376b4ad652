"""Plays a game with the Python client of openapi-generator, and reads additions."""

import json
import pathlib
import sys
import urllib.request

import opy
from opy.models.event_item_page import EventItemPage
from opy.models.game_page import GamePage
from opy.models.view import View

base = sys.argv[1]


def api(token=None):
    return opy.CoreApi(opy.ApiClient(opy.Configuration(host=base, access_token=token)))


def player(name):
    return api(api().create_player(opy.NewPlayer(name=name)).token)


def play():
    seats = [player("Ada"), player("Bob")]
    new = opy.EcopolisNewGame(ruleset="ecopolis", seats=2, options=opy.EcopolisNewOptions(max_rounds=3))
    game = str(seats[0].create_game(opy.NewGame(new)).id)
    seats[1].join_game(game, new_seat=opy.NewSeat())
    commands = 0
    while (view := api().get_view(game).actual_instance).to_act:
        seat = seats[view.to_act[0]]
        view = seat.get_view(game, var_with="legal").actual_instance
        command = view.legal.commands[0].command
        seat.send_command(game, opy.NewCommand(expected_seq=view.seq, command=command))
        commands += 1
    assert view.status == "finished", view
    print(f"{commands} commands with the client of openapi-generator, to the end")
    return game


def read_additions(game):
    additions = json.loads((pathlib.Path(__file__).parent / "additions.json").read_text())
    fetch = lambda path: json.load(urllib.request.urlopen(f"{base}/v1{path}"))
    view = View.from_dict(fetch(f"/games/{game}/view") | additions["view"]).actual_instance
    assert isinstance(view, opy.OtherView) and view.status == "adjourned" and view.state == {"board": [1, 2]}, view
    page = fetch("/games")
    page["items"][0] |= additions["game"]
    assert GamePage.from_dict(page).items[0].ruleset == "chess"
    page = fetch(f"/games/{game}/events")
    page["items"][0]["events"].append(additions["event"])
    events = EventItemPage.from_dict(page).items[0].events
    assert isinstance(events[-1].actual_instance, opy.OtherTableEvent), events
    assert not isinstance(events[0].actual_instance, opy.OtherTableEvent), events
    print("additions are read")


read_additions(play())
