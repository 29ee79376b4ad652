"""A whole game on a real server, whose address is in SERVER: signed, with receipts, followed by both players."""

import os
import threading
import unittest

from playledger import Chain, Client, Problem, Receipt, Share, types
from playledger.sign import PlayerKey, Spot, game_id
from playledger.types.industrial_waste import NewOptions

SERVER = os.environ.get("SERVER", "http://127.0.0.1:8080")


class Player:
    def __init__(self, name: str) -> None:
        new = Client(SERVER).create_player({"name": name})
        self.receipts: list[str] = []
        self.client = Client(SERVER, new["token"], keep=self.receipts.append)
        self.id = new["player"]["id"]
        self.key, self.share = PlayerKey(), Share.draw()
        self.seqs: list[int] = []

    def follow(self, game: str) -> None:
        self.seqs.extend(entry["seq"] for entry in self.client.follow(game, after=-1))


class Game(unittest.TestCase):
    def test_two_players_sign_share_in_the_shuffle_and_follow_their_game_to_its_end(self) -> None:
        ada, bob = players = Player("Ada"), Player("Bob")
        game = game_id()
        options: NewOptions = {"max_rounds": 2, "first_seat": 0, "open_cash": False}
        terms = {
            "seats": 2,
            "options": options,
            "rules": {"name": "industrial-waste", "version": 1},
            "clock": None,
            "event": None,
            "previous": None,
            "rated": False,
            "substitutes": False,
            "takebacks": False,
        }
        ada.client.create_game(
            {
                "id": game,
                "ruleset": "industrial-waste",
                "version": 1,
                "seats": 2,
                "options": options,
                "rated": False,
                "substitutes": False,
                "takebacks": False,
                "entropy_commit": ada.share.commit,
                "signed": ada.key.join(game, 0, player=ada.id, commit=ada.share.commit, terms=terms),
            }
        )
        signed = bob.key.join(game, 1, player=bob.id, commit=bob.share.commit, terms=terms)
        bob.client.join_game(game, {"seat": 1, "entropy_commit": bob.share.commit, "signed": signed})
        followers = [threading.Thread(target=player.follow, args=(game,)) for player in players]
        for follower in followers:
            follower.start()
        for player in players:
            player.client.reveal_entropy(game, {"entropy": player.share.entropy})

        chain = Chain()
        while to_act := Client(SERVER).get_view(game)["to_act"]:
            player = players[to_act[0]]
            view = player.client.get_view(game, with_="legal")
            assert view["legal"]
            command = view["legal"]["commands"][0]["command"]
            self.catch_up(ada, game, chain)
            self.assertEqual((chain.seq, chain.head), (view["seq"], view["head"]))
            sent: types.NewCommand = {"expected_seq": view["seq"], "command": command}
            with self.assertRaises(Problem) as refused:
                player.client.send_command(game, sent)
            self.assertEqual((refused.exception.code, refused.exception.status), ("invalid_signature", 422))
            spot = Spot(game, to_act[0], chain.seq, chain.head)
            player.client.send_command(game, {**sent, "signed": player.key.commands(spot, [command])})

        self.catch_up(ada, game, chain)
        for follower in followers:
            follower.join()
        for player in players:
            self.assertEqual(player.seqs, list(range(chain.seq + 1)))
            self.assertGreater(len(player.receipts), 2)
            self.assertEqual({Receipt.read(note).game for note in player.receipts}, {game})

    def catch_up(self, player: Player, game: str, chain: Chain) -> None:
        while entries := player.client.get_log(game, after=chain.seq)["items"]:
            chain.add(entries)

    def test_an_answer_may_be_a_text(self) -> None:
        self.assertIn("# Industrial Waste", Client(SERVER).get_rules("industrial-waste"))


if __name__ == "__main__":
    unittest.main()
