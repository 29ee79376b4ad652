"""Plays a game of each ruleset with the client that openapi-python-client generates."""

import sys

from pyc import AuthenticatedClient, Client
from pyc.api.audit import get_replay
from pyc.api.games import create_game, join
from pyc.api.play import get_view, list_legal_commands, send_command
from pyc.api.players import create_player
from pyc.models import NewCommand, NewGame, NewPlayer, NewSeat, RulesetName

base = sys.argv[1]
anyone = Client(base_url=base)


def player(name):
    created = create_player.sync(client=anyone, body=NewPlayer(name=name))
    return AuthenticatedClient(base_url=base, token=created.token)


def play(ruleset):
    seats = [player("Ada"), player("Bob")]
    new = NewGame(ruleset=ruleset, seats=2)
    game = create_game.sync(client=seats[0], body=new).id
    join.sync(game, client=seats[1], body=NewSeat())
    commands = 0
    while view := get_view.sync(game, client=anyone):
        if not view.to_act:
            break
        seat = seats[view.to_act[0]]
        legal = list_legal_commands.sync(game, client=seat)
        wanted = [one for one in legal.commands if one.command.type_ != "take_loan"]
        command = NewCommand(expected_seq=legal.seq, command=wanted[0].command)
        done = send_command.sync(game, client=seat, body=command)
        assert done.seq == legal.seq + 1, done
        commands += 1
    assert view.status.value == "finished", view
    assert get_replay.sync_detailed(game, client=anyone).status_code == 200
    print(f"{ruleset}: {commands} commands with the generated client, to the end")


for ruleset in RulesetName:
    play(ruleset)
