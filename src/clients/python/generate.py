"""Generates playledger/types and playledger/operations.py from openapi.json. Needs datamodel-code-generator.

The `Other` variants of unions are left out: type checkers cannot narrow a union with an open discriminator.
"""

import json
import keyword
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOCUMENT = HERE / "../../../openapi/openapi.json"
HEAD = '''"""The operations of the API. Made by generate.py."""

from typing import Any

from . import types


class Operations:
    """A method for each operation, named by its `operationId`."""

    def call(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, object] | None = None,
        body: object = None,
        idempotency_key: str | None = None,
    ) -> Any:
        raise NotImplementedError
'''


def without_others(value: Any) -> Any:
    if isinstance(value, list):
        return [without_others(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "oneOf" in value:
        parts = [one for one in value["oneOf"] if not re.search(r"[/.]Other\w+$", one.get("$ref", ""))]
        value = {**value, "oneOf": parts}
    # A closed TypedDict needs typing_extensions.
    return {
        name: without_others(one)
        for name, one in value.items()
        if (name, one) != ("additionalProperties", False)
    }


def name_of(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def type_of(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return "types." + str(schema["$ref"]).removeprefix("#/components/schemas/")
    for parts in (schema.get("oneOf"), schema.get("anyOf")):
        if parts:
            return " | ".join(dict.fromkeys(map(type_of, parts)))
    kinds = schema.get("type", [])
    names = {"string": "str", "integer": "int", "boolean": "bool", "null": "None"}
    return (
        " | ".join(names.get(kind, "Any") for kind in ([kinds] if isinstance(kinds, str) else kinds)) or "Any"
    )


class Operation:
    def __init__(self, document: Any, method: str, path: str, shared: list[Any], operation: Any) -> None:
        self.method: str = method.upper()
        self.path: str = path
        self.operation = operation
        parameters = [self.found(document, one) for one in shared + operation.get("parameters", [])]
        self.in_path = [one for one in parameters if one["in"] == "path"]
        self.in_query = [one for one in parameters if one["in"] == "query"]

    @staticmethod
    def found(document: Any, one: Any) -> Any:
        while "$ref" in one:
            one = document["components"]["parameters"][one["$ref"].rsplit("/", 1)[1]]
        return one

    def body(self) -> str | None:
        content = self.operation.get("requestBody", {}).get("content", {}).get("application/json")
        return type_of(content["schema"]) if content else None

    def answer(self) -> str:
        found = []
        for status in ("200", "201", "202", "204"):
            response = self.operation["responses"].get(status)
            if response is not None:
                content = response.get("content", {})
                json_form = content.get("application/json")
                found.append(type_of(json_form["schema"]) if json_form else "str" if content else "None")
        return " | ".join(dict.fromkeys(found))

    def text(self) -> str:
        arguments = [f"{name_of(one['name'])}: {type_of(one['schema'])}" for one in self.in_path]
        passed = [f'"{self.method}"', ("f" if self.in_path else "") + f'"{self.place()}"']
        body = self.body()
        if body:
            arguments.append(f"body: {body}" + (" = None" if "None" in body.split(" | ") else ""))
            passed.append("body=body")
        named = [f"{name_of(one['name'])}: {type_of(one['schema'])} | None = None" for one in self.in_query]
        if self.in_query:
            pairs = (f'"{one["name"]}": {name_of(one["name"])}' for one in self.in_query)
            passed.append("query={" + ", ".join(pairs) + "}")
        if self.method != "GET":
            named.append("idempotency_key: str | None = None")
            passed.append("idempotency_key=idempotency_key")
        signature = ", ".join(["self", *arguments, *(["*", *named] if named else [])])
        summary = str(self.operation["summary"]).replace('"', "'")
        return (
            f"\n    def {self.operation['operationId']}({signature}) -> {self.answer()}:\n"
            f'        """{summary}."""\n'
            f"        answer: {self.answer()} = self.call({', '.join(passed)})\n"
            f"        return answer\n"
        )

    def place(self) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: "{" + name_of(found[1]) + "}", self.path)


def main() -> None:
    document = without_others(json.loads(DOCUMENT.read_text()))
    with tempfile.TemporaryDirectory() as folder:
        known = Path(folder, "openapi.json")
        known.write_text(json.dumps(document))
        maker = [sys.executable, "-m", "datamodel_code_generator", "--input", str(known)]
        options = (
            "--input-file-type openapi --output-model-type typing.TypedDict --target-python-version 3.11"
        )
        more = "--formatters builtin --disable-timestamp --use-annotated --output"
        subprocess.run([*maker, *options.split(), *more.split(), str(HERE / "playledger/types")], check=True)
    operations = [
        Operation(document, method, path, item.get("parameters", []), operation).text()
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in ("get", "post", "put", "patch", "delete")
        and "text/event-stream" not in streams(operation)
    ]
    (HERE / "playledger/operations.py").write_text(HEAD + "".join(operations))


def streams(operation: Any) -> list[str]:
    """Returns the media types of an operation that has no other answer than a stream."""
    content = list(operation["responses"].get("200", {}).get("content", {}))
    return content if len(content) == 1 else []


if __name__ == "__main__":
    main()
