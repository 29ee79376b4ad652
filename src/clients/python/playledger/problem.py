"""Problems: each refusal of the server, told by its code."""

import json
from typing import cast

from . import types


class Problem(Exception):
    """A refusal of the server. Branch on `code`."""

    def __init__(self, status: int, document: types.Problem) -> None:
        super().__init__(f"{document['code']}: {document.get('detail') or document['title']}")
        self.status = status
        self.document = document

    @property
    def code(self) -> str:
        return self.document["code"]

    @classmethod
    def of(cls, status: int, body: bytes) -> "Problem":
        """Returns the problem of an answer. A proxy may answer with something else."""
        try:
            document = json.loads(body)
            document["code"], document["title"]
        except (ValueError, TypeError, KeyError):
            title = f"status {status}"
            document = {"type": "about:blank", "title": title, "status": status, "code": "unknown"}
        return cls(status, cast("types.Problem", document))
