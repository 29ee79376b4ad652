"""The client: typed requests, with retries, receipts and streams."""

import json
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from . import types
from .connection import once, retried
from .operations import Operations
from .problem import Problem
from .stream import Told, stream


class Client(Operations):
    """A client of a server. `keep` stores a receipt; an answer is returned after this."""

    def __init__(
        self,
        server: str,
        token: str | None = None,
        *,
        language: str | None = None,
        keep: Callable[[str], object] | None = None,
    ) -> None:
        self.server = server.rstrip("/")
        self.keep = keep
        self._token = token
        self._language = language

    def call(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, object] | None = None,
        body: object = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Sends a request. A retry has the same key, so that a change is made once."""
        headers = self._headers("application/json, */*;q=0.5")
        data = None
        if method != "GET":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        request = urllib.request.Request(self._url(path, query), data, headers, method=method)
        answer = retried(lambda: once(request))
        if answer.status >= 400:
            raise Problem.of(answer.status, answer.body)
        if not answer.body:
            return None
        if "json" not in answer.headers.get_content_type():
            return answer.body.decode()
        read = json.loads(answer.body)
        for name in ("receipt", "seal_receipt"):
            if self.keep and isinstance(read, dict) and isinstance(read.get(name), str):
                self.keep(read[name])
        return read

    def follow(
        self,
        game: str,
        *,
        after: int | None = None,
        views: bool = False,
        legal: bool = False,
        words: bool = False,
    ) -> Iterator[types.EventItem]:
        """Yields each new entry of a game until its end. Nothing is missed, and nothing comes twice."""
        query: dict[str, object] = {
            # A lost connection must not move the beginning.
            "after": self.get_game(game)["seq"] if after is None else after,
            "views": views or None,
            "with": "legal" if legal else None,
            "words": words or None,
        }
        for told in self._stream(f"/v1/games/{game}/events", query):
            if told.event == "":
                yield told.data

    def notifications(self, after: str | None = None) -> Iterator[Told]:
        """Yields the notifications of the account. After `reset`, read your games anew."""
        return self._stream("/v1/me/events", {"after": after}, after)

    def _stream(self, path: str, query: dict[str, object], after: str | None = None) -> Iterator[Told]:
        def request(last: str | None) -> urllib.request.Request:
            headers = self._headers("text/event-stream")
            if last is not None:
                headers["Last-Event-ID"] = last
            return urllib.request.Request(self._url(path, query), headers=headers)

        return stream(request, after)

    def _headers(self, accept: str) -> dict[str, str]:
        headers = {"Accept": accept, "User-Agent": "playledger-python"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if self._language:
            headers["Accept-Language"] = self._language
        return headers

    def _url(self, path: str, query: dict[str, object] | None) -> str:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        words = {
            name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()
        }
        url = self.server + urllib.parse.quote(path)
        return f"{url}?{urllib.parse.urlencode(words)}" if words else url
