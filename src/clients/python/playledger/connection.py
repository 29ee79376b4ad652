"""Connections: a request is sent again if no answer came, or if the server asks for it."""

import http.client
import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import NamedTuple

ATTEMPTS = 6
LONGEST = 60.0
PASSING = (429, 502, 503, 504)
#: What a lost connection raises. A timeout is an OSError.
LOST = (OSError, http.client.HTTPException)


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes


def opened(request: urllib.request.Request, timeout: float) -> http.client.HTTPResponse:
    """Returns the answer, whatever its status."""
    try:
        response: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=timeout)
        return response
    except urllib.error.HTTPError as error:
        return error  # type: ignore[return-value]


def once(request: urllib.request.Request, timeout: float = 40) -> Answer:
    with opened(request, timeout) as response:
        return Answer(response.status, response.headers, response.read())


def retried(send: Callable[[], Answer]) -> Answer:
    """Sends until there is an answer that another attempt would not change."""
    for attempt in range(1, ATTEMPTS + 1):
        wait = random.random() * 0.25 * 2**attempt
        try:
            answer = send()
            asked = seconds(answer.headers)
            if answer.status not in PASSING or attempt == ATTEMPTS or asked > LONGEST:
                return answer
            wait = max(wait, asked)
        except LOST:
            if attempt == ATTEMPTS:
                raise
        time.sleep(wait)
    raise AssertionError("the last attempt returns or raises")


def seconds(headers: http.client.HTTPMessage) -> float:
    try:
        return float(headers.get("Retry-After") or 0)
    except ValueError:
        return 0
