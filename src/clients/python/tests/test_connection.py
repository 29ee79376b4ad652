"""A server that loses connections: nothing is made twice, and no event is missed."""

import threading
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Self
from unittest.mock import patch

from playledger import Chain, Client, Problem, Receipt

Handler = BaseHTTPRequestHandler


class Answering:
    """Runs a server that answers by these functions in turn, and has its requests."""

    def __init__(self, *answers: Callable[[Handler], None]) -> None:
        self.requests: list[tuple[str, dict[str, str]]] = []

        class Requests(Handler):
            def answer(self) -> None:
                outer.requests.append(
                    (self.path, {name.lower(): value for name, value in self.headers.items()})
                )
                answers[len(outer.requests) - 1](self)

            do_GET = do_POST = answer

            def log_message(self, format: str, *args: object) -> None:
                pass

        outer = self
        self.server = HTTPServer(("127.0.0.1", 0), Requests)
        self.client = Client(f"http://127.0.0.1:{self.server.server_port}/")
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def status(code: int, body: bytes = b"", **headers: str) -> Callable[[Handler], None]:
    def answer(handler: Handler) -> None:
        handler.send_response(code)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def lost(_: Handler) -> None:
    pass


def events(text: str) -> Callable[[Handler], None]:
    """Sends these events, then closes the connection."""

    def answer(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        handler.wfile.write(text.encode())

    return answer


@patch("time.sleep", lambda _: None)
class Connection(unittest.TestCase):
    def test_a_change_is_sent_again_under_its_key(self) -> None:
        created = status(201, b'{"token":"plg_x"}', Content_Type="application/json")
        with Answering(status(503, Retry_After="0"), lost, created) as server:
            self.assertEqual(server.client.create_player({"name": "Ada"}), {"token": "plg_x"})
            keys = {headers["idempotency-key"] for _, headers in server.requests}
            self.assertEqual((len(server.requests), len(keys)), (3, 1))

    def test_a_refusal_without_a_document_has_a_code_too(self) -> None:
        with Answering(status(413, b"<html>")) as server, self.assertRaises(Problem) as refused:
            server.client.create_player({"name": "Ada"})
        self.assertEqual((refused.exception.code, refused.exception.status), ("unknown", 413))

    def test_a_stream_continues_after_the_last_event(self) -> None:
        first = events(': hello\n\nid: 4\ndata: {"seq":4}\n\nid: 5\ndata: {"se')
        rest = events('id: 5\ndata: {"seq":5}\n\nid: 6\nevent: end\ndata: {"seq":6}\n\n')
        with Answering(first, status(503), rest) as server:
            followed = [entry["seq"] for entry in server.client.follow("g", after=3, views=True, legal=True)]
            self.assertEqual(followed, [4, 5])
            last = [headers.get("last-event-id") for _, headers in server.requests]
            self.assertEqual(last, [None, "4", "4"])
            self.assertEqual(server.requests[0][0], "/v1/games/g/events?after=3&views=true&with=legal")

    def test_a_stream_that_may_not_be_read_fails_and_an_ended_one_ends(self) -> None:
        refusal = status(404, b'{"code":"not_found","title":"Not found"}')
        with Answering(refusal, status(204)) as server:
            with self.assertRaises(Problem) as refused:
                next(server.client.follow("g", after=3))
            self.assertEqual(refused.exception.code, "not_found")
            self.assertEqual(list(server.client.follow("g", after=3)), [])


class Told(unittest.TestCase):
    def test_another_history_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            Chain().add([{"body": {"seq": 0}, "x": "00" * 32, "head": "00" * 32}])

    def test_what_is_no_receipt_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            Receipt.read("another note")


if __name__ == "__main__":
    unittest.main()
