"""Generator of the client's two generated modules from openapi.yaml (`make client`).

`types.py` has every shape of the API, by datamodel-code-generator. `operations.py` has one method for each operation.
"""

from __future__ import annotations

import keyword
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "openapi.yaml"
PACKAGE = Path(__file__).resolve().parent / "warhost_client"
WIDTH = "120"
JSON = "application/json"
SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
METHODS = ("get", "post", "put", "patch", "delete")
TYPES = [
    "--input-file-type", "openapi", "--output-model-type", "typing.TypedDict", "--target-python-version", "3.12",
    "--enum-field-as-literal", "all", "--use-union-operator", "--use-standard-collections", "--use-schema-description",
    "--no-use-closed-typed-dict", "--strict-nullable", "--disable-timestamp", "--formatters", "ruff-format",
    "--custom-file-header", '"""Types of what the API takes and answers, generated from openapi.yaml by `make client`."""',
]  # fmt: skip
HEAD = '''"""Operations of the API, generated from openapi.yaml by `make client`."""

from __future__ import annotations

from typing import Any, Literal

from warhost_client import types as t
from warhost_client.transport import Transport, fill


class Operations(Transport):
    """One method for each operation of the API, under the name the document gives it."""
'''


class Argument(NamedTuple):
    """A parameter of an operation as an argument of its method. `sent`: its name in the request."""

    sent: str
    place: str
    kind: str
    needed: bool

    @property
    def name(self) -> str:
        return self.sent.lower().replace("-", "_") + ("_" if keyword.iskeyword(self.sent) else "")

    @property
    def declared(self) -> str:
        return f"{self.name}: {self.kind}" if self.needed else f"{self.name}: {self.kind} | None = None"


def write(package: Path = PACKAGE, document: Path = DOCUMENT) -> None:
    """Write both modules into a folder."""
    types = package / "types.py"
    asked = [sys.executable, "-m", "datamodel_code_generator", "--input", str(document), "--output", str(types), *TYPES]
    subprocess.run(asked, check=True, env={"PATH": str(Path(sys.executable).parent), "PYTHONWARNINGS": "ignore"})
    types.write_text(_formatted(types.read_text()))
    (package / "operations.py").write_text(_formatted(written(yaml.safe_load(document.read_text()))))


def _formatted(code: str) -> str:
    asked = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", WIDTH, "-"]
    return subprocess.run(asked, input=code, capture_output=True, text=True, check=True).stdout


def written(document: dict[str, Any]) -> str:
    """Return the code of operations.py."""
    shared = document["components"]["parameters"]
    methods = [
        _method(path, method, operation, shared)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if method in METHODS
    ]
    return HEAD + "\n" + "\n\n".join(methods)


def _method(path: str, method: str, operation: dict[str, Any], shared: dict[str, Any]) -> str:
    arguments = list(_arguments(operation, shared))
    by_place = {place: [one for one in arguments if one.place == place] for place in ("path", "query", "header")}
    named = [one for one in arguments if one.place != "path"]
    body, sent = _body(operation)
    heads = ["self", *(one.declared for one in by_place["path"]), *body]
    if named:
        heads += ["*", *(one.declared for one in sorted(named, key=lambda one: not one.needed))]
    values = "".join(f", {name}={name}" for name in sent)
    query = ", ".join(f'"{one.sent}": {one.name}' for one in by_place["query"])
    values += f", query={{{query}}}" if query else ""
    values += "".join(f", {one.name}={one.name}" for one in by_place["header"])
    ids = "".join(f", {one.name}={one.name}" for one in by_place["path"])
    called = f'self.call("{method.upper()}", fill("{path}"{ids}){values})'
    kind = _answer(operation)
    done = called if kind == "None" else f"answer: {kind} = {called}\n        return answer"
    return (
        f"    def {operation['operationId']}({', '.join(heads)}) -> {kind}:\n"
        f"        {_described(operation)}\n"
        f"        {done}\n"
    )


def _arguments(operation: dict[str, Any], shared: dict[str, Any]) -> Iterator[Argument]:
    for told in operation.get("parameters", ()):
        part = shared[told["$ref"].rpartition("/")[2]] if "$ref" in told else told
        if part["in"] == "header" and part["name"] not in ("If-Match", "Idempotency-Key"):
            continue  # the answer to If-None-Match has nothing in it
        kind = "int | str" if part["name"] == "If-Match" else _type(part["schema"])
        yield Argument(part["name"], part["in"], kind, bool(part.get("required")))


def _body(operation: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the declarations of what is sent, and the names of these arguments."""
    content = operation.get("requestBody", {}).get("content", {})
    if "multipart/form-data" in content:
        return ["file: bytes"], ["file"]
    if JSON not in content:
        return [], []
    kind = _type(content[JSON]["schema"])
    needed = operation["requestBody"].get("required")
    return [f"body: {kind}" if needed else f"body: {kind} | None = None"], ["body"]


def _answer(operation: dict[str, Any]) -> str:
    """Return the type of what a success answers: JSON, bytes of other formats, None without a body."""
    kinds = []
    for code, answer in operation["responses"].items():
        if code.startswith("2"):
            content = answer.get("content", {})
            kinds += [_type(shape["schema"]) if kind == JSON else "bytes" for kind, shape in content.items()]
            kinds += [] if content else ["None"]
    return "Any" if "Any" in kinds else " | ".join(sorted(set(kinds), key=kinds.index))


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return "t." + schema["$ref"].rpartition("/")[2]
    if "enum" in schema:
        return f"Literal[{', '.join(repr(one) for one in schema['enum'])}]"
    if schema.get("type") == "array":
        return f"list[{_type(schema['items'])}]"
    if schema.get("type") == "object":
        return "dict[str, Any]"
    return SIMPLE.get(schema.get("type", ""), "Any")


def _described(operation: dict[str, Any]) -> str:
    told = operation.get("summary") or operation["operationId"]
    more = re.sub(r"\s+", " ", operation.get("description", "")).strip().replace("\\", "")
    first = told if told.endswith((".", "…")) else f"{told}."
    words = f"{first} {more}".strip().replace('"""', "'''")
    return f'"""{words}"""'


if __name__ == "__main__":
    write()
