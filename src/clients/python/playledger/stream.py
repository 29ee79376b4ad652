"""Streams: server-sent events that continue after the last one, whatever happens to the connection."""

import json
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from .connection import LOST, PASSING, opened
from .problem import Problem

#: The server sends a comment every 15 seconds.
SILENCE = 30.0
SHORTEST = 0.5
LONGEST = 15.0


class Told(NamedTuple):
    id: str | None
    event: str
    data: Any


def stream(
    request: Callable[[str | None], urllib.request.Request], after: str | None = None
) -> Iterator[Told]:
    """Yields events until the stream ends. Connects again after a loss."""
    last, wait = after, SHORTEST
    while True:
        try:
            with opened(request(last), SILENCE) as response:
                if response.status == 204:
                    return
                if response.status != 200 and response.status not in PASSING:
                    raise Problem.of(response.status, response.read())
                for told in events(response) if response.status == 200 else ():
                    last, wait = told.id or last, SHORTEST
                    yield told
                    if told.event == "end":
                        return
        except LOST:
            pass
        time.sleep(wait)
        wait = min(wait * 2, LONGEST)


def events(lines: Iterable[bytes]) -> Iterator[Told]:
    """Reads events. One that is cut off is not told."""
    fields: dict[str, str] = {}
    for raw in lines:
        line = raw.decode()
        if line.strip():
            name, _, value = line.rstrip("\n").partition(":")
            fields[name] = value.removeprefix(" ")
        elif line.endswith("\n"):
            if "data" in fields:
                yield Told(fields.get("id"), fields.get("event", ""), json.loads(fields["data"]))
            fields = {}
