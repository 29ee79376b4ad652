"""The chain of a game, computed by the client itself, and what the log format hashes."""

import hashlib
import json
import os
from collections.abc import Iterable
from typing import Any, NamedTuple


def canonical(value: object) -> bytes:
    """`C` of the log format."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def frame(tag: str, *parts: bytes) -> bytes:
    """`F` of the log format."""
    return b"fairlog/3 " + tag.encode() + b"\n" + b"".join(len(part).to_bytes(4) + part for part in parts)


def digest(tag: str, *parts: bytes) -> bytes:
    """`H` of the log format."""
    return hashlib.sha256(frame(tag, *parts)).digest()


class Chain:
    """The heads of a game. `seq` is the number of the newest entry, -1 if there is none."""

    def __init__(self) -> None:
        self.seq = -1
        self.head = "0" * 64

    def add(self, entries: Iterable[Any]) -> None:
        """Adds entries in their order. Fails if the server tells another history than before."""
        for entry in entries:
            body = entry["body"]
            if body["seq"] <= self.seq:
                continue
            leaf = digest("leaf", canonical(body), bytes.fromhex(entry["x"]))
            head = digest("head", bytes.fromhex(self.head), leaf).hex()
            if body["seq"] != self.seq + 1 or head != entry["head"]:
                raise ValueError(f"entry {self.seq + 1} does not continue the chain")
            self.seq, self.head = body["seq"], head


class Share(NamedTuple):
    """A share in the shuffle: join with `commit`, and reveal `entropy` when the table is sealed."""

    commit: str
    entropy: str

    @classmethod
    def draw(cls) -> "Share":
        entropy = os.urandom(32)
        return cls(digest("client", entropy).hex(), entropy.hex())


class Receipt(NamedTuple):
    """What a receipt is for."""

    game: str
    seq: int
    head: str

    @classmethod
    def read(cls, note: str) -> "Receipt":
        title, game, seq, _, head, *_ = [*note.split("\n"), "", "", "", ""]
        if title != "fairlog/3 receipt":
            raise ValueError("this is no receipt")
        return cls(game, int(seq), head)
