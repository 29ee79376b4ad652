"""Plays a game of each ruleset with the client that openapi-python-client generates, and reads additions."""

import json
import pathlib
import sys

import httpx
from pyc import AuthenticatedClient, Client
from pyc.api.core import create_game, create_player, get_replay, get_view, join_game, list_events, list_games, send_command
from pyc.models import (
    EcopolisNewGame, EcopolisState, IndustrialWasteNewGame, NewCommand, NewPlayer, NewSeat, OtherOptions, OtherTableEvent,
    OtherView, ViewExtra,
)

base = sys.argv[1]
anyone = Client(base_url=base)


def player(name):
    created = create_player.sync(client=anyone, body=NewPlayer(name=name))
    return AuthenticatedClient(base_url=base, token=created.token)


def play(new):
    seats = [player("Ada"), player("Bob")]
    game = create_game.sync(client=seats[0], body=new).id
    join_game.sync(game, client=seats[1], body=NewSeat())
    commands = 0
    while view := get_view.sync(game, client=anyone):
        if not view.to_act:
            break
        seat = seats[view.to_act[0]]
        view = get_view.sync(game, client=seat, with_=ViewExtra.LEGAL, words=True)
        wanted = [one for one in view.legal.commands if one.command.type_ != "take_loan"]
        assert wanted[0].text and view.prompt, view
        command = NewCommand(expected_seq=view.seq, command=wanted[0].command)
        done = send_command.sync(game, client=seat, body=command)
        assert done.seq == view.seq + 1, done
        assert all(event.ruleset == new.ruleset for event in done.events), done
        commands += 1
    assert view.status == "finished", view
    assert isinstance(view.state, EcopolisState) == (new.ruleset == "ecopolis"), "each game has its own state"
    assert get_replay.sync_detailed(game, client=anyone).status_code == 200
    print(f"{new.ruleset}: {commands} commands with the generated client, to the end")
    return game


def answered(body):
    """A client whose server answers with this."""
    client = Client(base_url=base)
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=body))
    return client.set_httpx_client(httpx.Client(base_url=base, transport=transport))


def read_additions(game):
    """A later server may know more rulesets, words, kinds of events and fields."""
    additions = json.loads((pathlib.Path(__file__).parent / "additions.json").read_text())
    fetch = httpx.Client(base_url=f"{base}/v1")
    view = get_view.sync(game, client=answered(fetch.get(f"/games/{game}/view").json() | additions["view"]))
    assert isinstance(view, OtherView) and view.status == "adjourned" and view.state["board"] == [1, 2], view
    page = fetch.get("/games").json()
    page["items"][0] |= additions["game"]
    first = list_games.sync(client=answered(page)).items[0]
    assert first.ruleset == "chess" and isinstance(first.options, OtherOptions), first
    page = fetch.get(f"/games/{game}/events").json()
    page["items"][0]["events"].append(additions["event"])
    events = list_events.sync(game, client=answered(page)).items[0].events
    assert isinstance(events[-1], OtherTableEvent) and not isinstance(events[0], OtherTableEvent), events
    print("additions are read")


play(IndustrialWasteNewGame(ruleset="industrial-waste", seats=2))
read_additions(play(EcopolisNewGame(ruleset="ecopolis", seats=2)))
