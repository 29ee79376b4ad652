"""Plays a game of each ruleset with the client that openapi-python-client generates."""

import sys

from pyc import AuthenticatedClient, Client
from pyc.api.audit import get_replay
from pyc.api.games import create_game, join
from pyc.api.play import get_view, send_command
from pyc.api.players import create_player
from pyc.models import EcopolisNewGame, EcopolisState, IndustrialWasteNewGame, NewCommand, NewPlayer, NewSeat, With

base = sys.argv[1]
anyone = Client(base_url=base)


def player(name):
    created = create_player.sync(client=anyone, body=NewPlayer(name=name))
    return AuthenticatedClient(base_url=base, token=created.token)


def play(new):
    seats = [player("Ada"), player("Bob")]
    game = create_game.sync(client=seats[0], body=new).id
    join.sync(game, client=seats[1], body=NewSeat())
    commands = 0
    while view := get_view.sync(game, client=anyone):
        if not view.to_act:
            break
        seat = seats[view.to_act[0]]
        view = get_view.sync(game, client=seat, with_=With.LEGAL, words=True)
        wanted = [one for one in view.legal.commands if one.command.type_ != "take_loan"]
        assert wanted[0].text and view.prompt, view
        command = NewCommand(expected_seq=view.seq, command=wanted[0].command)
        done = send_command.sync(game, client=seat, body=command)
        assert done.seq == view.seq + 1, done
        assert all(event.ruleset == new.ruleset for event in done.events), done
        commands += 1
    assert view.status.value == "finished", view
    assert isinstance(view.state, EcopolisState) == (new.ruleset == "ecopolis"), "each game has its own state"
    assert get_replay.sync_detailed(game, client=anyone).status_code == 200
    print(f"{new.ruleset}: {commands} commands with the generated client, to the end")


play(IndustrialWasteNewGame(ruleset="industrial-waste", seats=2))
play(EcopolisNewGame(ruleset="ecopolis", seats=2))
