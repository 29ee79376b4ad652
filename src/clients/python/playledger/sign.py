"""Signatures: with them no one else, and not even the server, can move for a player. Needs `cryptography`."""

import os
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from . import types
from .chain import canonical, frame

#: The members of the first entry that a player agrees to by joining.
TERMS = ("clock", "event", "options", "previous", "rated", "rules", "seats", "substitutes", "takebacks")


class Spot(NamedTuple):
    """Game, seat, and newest entry that the signer has seen. Use a head that you computed (`Chain`)."""

    game: str
    seat: int
    seen: int
    head: str


class PlayerKey:
    """A key of a player, in this program only. `seed` has 32 secret bytes."""

    def __init__(self, seed: bytes | None = None) -> None:
        self.seed = os.urandom(32) if seed is None else seed
        self._key = Ed25519PrivateKey.from_private_bytes(self.seed)
        self.hex = self._key.public_key().public_bytes_raw().hex()

    def commands(self, spot: Spot, commands: Sequence[object]) -> types.Signature:
        """Signs commands, as `legal` of a view lists them."""
        return self.act(spot, {"type": "cmd", "cmds": list(commands)})

    def act(self, spot: Spot, act: Mapping[str, object]) -> types.Signature:
        """Signs another act, such as `{"type": "resign"}`; "Acting" in the log format lists them."""
        message = frame(
            "act",
            spot.game.encode(),
            spot.seat.to_bytes(8),
            spot.seen.to_bytes(8),
            bytes.fromhex(spot.head),
            canonical(dict(act)),
        )
        return {"key": self.hex, "seen": spot.seen, "sig": self._key.sign(message).hex()}

    def join(
        self, game: str, seat: int, *, player: str, commit: str | None, terms: Mapping[str, object]
    ) -> types.SeatClaim:
        """Signs a join. To create a game, choose its id yourself (`game_id`)."""
        nonce = os.urandom(32).hex()
        agreed = {name: terms[name] for name in TERMS}
        what = {"type": "join", "player": player, "commit": commit, "nonce": nonce, "terms": agreed}
        message = frame("join", game.encode(), seat.to_bytes(8), canonical(what))
        return {"key": self.hex, "nonce": nonce, "sig": self._key.sign(message).hex()}


def game_id() -> str:
    """Returns an id for a new game: a UUID of version 7."""
    number = int.from_bytes(int(time.time() * 1000).to_bytes(6) + os.urandom(10))
    number = number & ~(0xF << 76) | 7 << 76
    return str(uuid.UUID(int=number & ~(0x3 << 62) | 2 << 62))
