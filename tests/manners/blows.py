"""What a careless or hostile client may send, each as the arguments of one request."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, NamedTuple
from urllib.parse import quote_from_bytes

from tests.manners.doors import Door

HUGE = "9" * 5_000
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND")

# Texts for a query or a form; bytes that are not UTF-8 stand for half characters.
TEXTS: tuple[bytes, ...] = (
    b"", b"\0", b"-1", b"0", b"1", HUGE.encode(), b"-" + HUGE.encode(), b"1.5", b"1e400", b"NaN", b"Infinity",
    "١٢".encode(), "²".encode(), "½".encode(), b"true", b"None", b"null", b"[]", b"{}", b"\xed\xa0\x80", b"\xff\xfe",
    b"00000000-0000-0000-0000-000000000000", b"zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz", b"' OR 1=1 --", b"a" * 3_000,
    b"%", b"%00", b"../../etc/passwd", "🏰".encode(), "\u202e".encode(), b"\r\nX: y", b"2147483648",
    b"9223372036854775808", b"+-5", b"--5", b"1,5", b"1/0", b"1/3", b"=1+1", b"<b>",
)  # fmt: skip
CURSORS = tuple(
    base64.b64encode(position)
    for position in (
        b"p=0", b"p=\0", b"p=" + HUGE.encode(), b"p=-1", b"p=\xd9\xa1", b"o=1", b"o=" + HUGE.encode(), b"o=-1", b"r=1",
        b"r=1&p=0", b"o=1&p=0&r=1", b"p=2026-01-01", b"p=00000000-0000-0000-0000-000000000000", b"", b"p=", b"p=null",
    )
)  # fmt: skip
QUERIES = (
    "cursor", "limit", "campaign", "kingdom", "army", "commander", "status", "ruleset", "kind", "from", "to", "after",
    "source", "direction", "resource", "q", "as", "family", "page", "step", "do", "what", "unit", "next", "format",
    "lang", "username", "version", "terrain", "unknown",
)  # fmt: skip

BODIES: tuple[bytes, ...] = (
    b"", b"null", b"true", b"1", b"[]", b'""', b"{}", b"{", b"[" * 100_000, b'{"a":' * 100_000,
    b"[" * 100_000 + b"]" * 100_000,
    b'{"a":' * 900 + b"1" + b"}" * 900, HUGE.encode(), b'{"name": ' + HUGE.encode() + b"}", b'{"days": NaN}',
    b'{"count": 1e400}', b'{"name": "\\u0000"}', b'{"name": "\\ud800"}', b'{"\\ud800": 1}', b'{"\\u0000": 1}',
    b'{"name": "a", "name": "b"}', b"\xff\xfe{}", b'{"name": "\xed\xa0\x80"}', '{"name": "x"}'.encode("utf-16"),
    b"\xef\xbb\xbf{}", b'{"name": "x"', b"'x'", b"{}{}", b"a=b&c=d", b"\0", b"x" * 100_000,
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 10**17, -(10**17), 1.5, 1e300, "", " ", "x", "12", "١٢", "²",
    "x" * 5_000, "é",
    "🏰", [], [[]], [None], [1], ["x"], [{}], {}, {"x": 1}, {"": None}, {"a": {"b": {"c": []}}},
    "00000000-0000-0000-0000-000000000000", ["00000000-0000-0000-0000-000000000000"], "+ 4", "+afraid 4",
    "+fast-healing ²",
)  # fmt: skip
TYPES = (
    "", ";;;", "text/plain", "application/xml", "application/json; charset=hex", "application/json; charset=utf-7",
    "application/json; charset=utf-16", "application/json; charset=nothing", "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=hex", "application/x-www-form-urlencoded; charset=idna",
    "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\xff",
    "multipart/form-data; boundary=x; charset=hex", "text/html; charset=rot13", "application/json\0", "a" * 3_000,
)  # fmt: skip
MULTIPART = (
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="a\0b"\r\n\r\n\xff\xfe\0\r\n--x--\r\n',
    b'--x\r\nContent-Disposition: form-data; name="name"\r\nContent-Transfer-Encoding: base64\r\n\r\n@@@\r\n--x--\r\n',
    b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nunfinished',
    b"no boundary at all",
)
HEADERS: tuple[tuple[str, str], ...] = (
    ("If-Match", ""), ("If-Match", '"'), ("If-Match", HUGE), ("If-Match", "é"), ("If-Match", "*"), ("If-Match", 'W/"1'),
    ("If-None-Match", HUGE), ("If-None-Match", ",,,\xff"), ("If-Modified-Since", "yesterday"), ("Range", "bytes=9-1"),
    ("Idempotency-Key", ""), ("Idempotency-Key", "é"), ("Idempotency-Key", "k" * 5_000), ("Idempotency-Key", "\0"),
    ("Idempotency-Key", "\ud800"), ("Accept-Language", "x" * 3_000), ("Accept-Language", "fr;q=9e999,*;q=NaN"),
    ("Accept-Language", "\xff\xfe"), ("Accept-Language", "de-" * 300), ("Accept", "text/html"),
    ("Accept", "application/xml;q=x"),
    ("Accept", "*/*;;;="), ("Accept", "a/b/c"), ("Accept", "\xff"), ("Accept", ""), ("Authorization", "Token é"),
    ("Authorization", "Token"), ("Authorization", "Token a b c"), ("Authorization", "Basic ===="),
    ("Authorization", "Basic \xff"),
    ("Authorization", "\xff"), ("Authorization", "Token " + "a" * 5_000), ("Cookie", "sessionid=\0; csrftoken=\xff"),
    ("Cookie", "sessionid=" + "x" * 5_000), ("Cookie", "django_language=\0"),
    ("Cookie", "django_language=" + "x" * 900),
    ("Cookie", "messages=[[1,2"), ("Host", "a b"), ("Host", "nowhere.example"), ("X-CSRFToken", "\xff"),
    ("Referer", "http://[bad"), ("Origin", "http://[bad"), ("HX-Request", "true"), ("HX-Current-URL", "http://[bad"),
    ("HX-Target", "\xff"), ("Content-Length", "many"), ("Content-Length", "-1"), ("X-Forwarded-For", "\xff, ::zz"),
    ("Content-Encoding", "gzip"), ("Expect", "200-ok"),
)  # fmt: skip


class Blow(NamedTuple):
    """One request: what would be given to the test client's `generic`."""

    method: str
    url: str
    body: bytes = b""
    kind: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.method} {self.url[:120]} {self.kind[:60]} {self.headers!r:.100} {self.body[:160]!r}"


def at(door: Door) -> Iterator[Blow]:
    """Every blow at one door, but for those that need to know its fields."""
    yield from (Blow(method, door.url) for method in METHODS)
    for name in QUERIES:
        texts = TEXTS + CURSORS if name == "cursor" else TEXTS
        yield from (Blow("GET", f"{door.url}?{name}={quote_from_bytes(text)}") for text in texts)
    for method in ("POST", "PATCH"):
        yield from (Blow(method, door.url, body) for body in BODIES)
    yield from (Blow("POST", door.url, b'{"a": 1}', kind) for kind in TYPES)
    yield from (Blow("GET", f"{door.url}?q=a", b"", kind) for kind in TYPES)
    yield from (Blow("POST", door.url, body, "multipart/form-data; boundary=x") for body in MULTIPART)
    for header in HEADERS:
        yield from (
            Blow(method, door.url, b"{}" if method == "POST" else b"", headers=(header,)) for method in ("GET", "POST")
        )


def json_blows(door: Door, method: str, body: dict[str, Any]) -> Iterator[Blow]:
    """A body that is right but for one member, at every depth."""
    for path in paths_of(body):
        for value in VALUES:
            yield Blow(
                method, door.url, json.dumps(with_one(body, path, value)).encode(), headers=(("If-Match", '"1"'),)
            )


def paths_of(body: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    members = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for name, inner in members:
        yield (*above, name)
        yield from paths_of(inner, (*above, name))


def with_one(body: Any, path: tuple[Any, ...], value: Any) -> Any:
    copied = json.loads(json.dumps(body))
    inside = copied
    for name in path[:-1]:
        inside = inside[name]
    inside[path[-1]] = value
    return copied


class Fields(HTMLParser):
    """The forms of a page: where each goes, and its fields as a browser would send them."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and given.get("method", "").lower() == "post":
            self.forms.append((given.get("action", ""), {}))
        elif tag in ("input", "select", "textarea", "button") and self.forms and given.get("name"):
            self.forms[-1][1].setdefault(given["name"], given.get("value", ""))
        elif tag == "option" and self.forms and self.forms[-1][1] and "selected" in given:
            last = next(reversed(self.forms[-1][1]))
            self.forms[-1][1][last] = given.get("value", "")


def form_blows(door: Door, page: str) -> Iterator[Blow]:
    """Every form of the page, right but for one field."""
    found = Fields()
    found.feed(page)
    for action, fields in found.forms:
        for name in fields:
            for text in TEXTS:
                sent = {field: value.encode() for field, value in fields.items()} | {name: text}
                pairs = (f"{quote_from_bytes(f.encode())}={quote_from_bytes(v)}" for f, v in sent.items())
                yield Blow("POST", action or door.url, "&".join(pairs).encode(), "application/x-www-form-urlencoded")
