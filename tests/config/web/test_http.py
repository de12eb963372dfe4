"""The server on the wire: slow, broken and greedy clients, and everybody else meanwhile."""

from __future__ import annotations

import errno
import gzip
import json
import logging
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median

import pytest
import yaml
from django.http import StreamingHttpResponse

from config.web import request_bodies
from config.web.request_bodies import ClientGone, Refused
from config.web.responses import Answer, answer_of, downloads
from config.web.server import HEAD_LIMIT, Connection
from tests.browsing import Server
from tests.config.web.wire import Reply, Wire, eventually, head, unfinished_form

PAGE = "/credits/"  # asks the database nothing
FILE = "/static/favicon.svg"
API = "/api/v1/campaigns/"
FORM = "Content-Type: application/x-www-form-urlencoded"
JSON = "Content-Type: application/json"
MB = 1_048_576


@pytest.fixture
def site(_running_server: Server, caplog: pytest.LogCaptureFixture) -> Iterator[Server]:
    """The running server, which must neither complain nor keep anything after the test."""
    caplog.set_level(logging.WARNING)
    yield _running_server
    assert eventually(lambda: not request_bodies.space.used and not downloads.used and not downloads.open)
    _running_server.settle()
    assert [record.getMessage() for record in caplog.records if record.exc_info or "uvicorn" in record.name] == []


def connections(site: Server) -> list[Connection]:
    return list(site.uvicorn.server_state.connections)


def is_open(site: Server, wire: Wire) -> bool:
    return any(one.client == wire.socket.getsockname() for one in connections(site))


def ask(site: Server, path: str, *lines: str, **more: object) -> Reply:
    with Wire(site.url) as wire:
        return wire.ask(path, *lines, **more)  # type: ignore[arg-type]


# Small answers


def test_small_answers_leave_at_once(site):
    with Wire(site.url) as wire:
        wire.ask("/healthz/")
        sockets = [one.transport.get_extra_info("socket") for one in connections(site)]
        assert sockets
        assert all(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in sockets)


def test_a_kept_connection_is_no_slower_than_fresh_ones(site):
    def timed(wire: Wire) -> float:
        start = time.perf_counter()
        wire.ask("/healthz/")
        return time.perf_counter() - start

    fresh, kept = [], []
    with Wire(site.url) as same:
        for _ in range(40):
            kept.append(timed(same))
            with Wire(site.url) as other:
                fresh.append(timed(other))
    assert median(kept) < 4 * median(fresh) + 0.01


# Slow clients


def slow_ones(site: Server, stack: ExitStack) -> None:
    for number in range(40):
        stack.enter_context(Wire(site.url)).put(unfinished_form() if number % 2 else b"GET / HTTP/1.1\r\nHost: lo")


@pytest.mark.parametrize("path", [PAGE, "/healthz/", FILE])
def test_forty_slow_connections_hold_nobody_up(site, path):
    with ExitStack() as stack:
        slow_ones(site, stack)
        assert eventually(lambda: len(connections(site)) >= 40)
        ask(site, path)
        start = time.monotonic()
        assert ask(site, path).status == 200
        assert time.monotonic() - start < 2


def test_health_and_files_are_served_while_every_worker_is_busy(site):
    from config.asgi import pages

    release = threading.Event()
    try:
        for _ in range(pages.threads._max_workers):
            pages.threads.submit(release.wait)
        assert [ask(site, path).status for path in ("/healthz/", FILE)] == [200, 200]
    finally:
        release.set()


def test_a_slow_body_is_ended_in_time(site, settings):
    settings.BODY_SECONDS = 0.4
    with Wire(site.url) as page, Wire(site.url) as api:
        wires = {PAGE: page, API: api}
        start = time.monotonic()
        for path, wire in wires.items():
            wire.put(head(path, JSON, "Content-Length: 100", method="POST") + b"{")
        for path, wire in wires.items():
            reply = wire.reply()
            assert (reply.status, reply.headers["connection"]) == (408, "close")
            assert 0.3 < time.monotonic() - start < 3
            assert wire.ended()
            is_problem = reply.headers["content-type"] == "application/problem+json"
            assert is_problem == (path == API)


def test_a_body_that_keeps_coming_is_given_the_time_it_needs(site, settings):
    settings.BODY_SECONDS = 0.5
    with Wire(site.url) as wire:
        wire.put(head(PAGE, FORM, "Content-Length: 60000", method="POST"))
        for _ in range(6):
            wire.put(b"x" * 10_000)
            time.sleep(0.2)
        assert wire.reply().status == 403  # Django read it, and misses its token


def test_an_unfinished_head_is_ended_in_time(site, settings):
    settings.HEAD_SECONDS = 0.3
    with Wire(site.url) as wire:
        assert wire.put(b"GET / HTTP/1.1\r\nHost: lo").reply().status == 408
        assert wire.ended()


def test_a_trickle_of_empty_lines_is_no_request(site, settings):
    settings.HEAD_SECONDS = 0.3
    with Wire(site.url) as wire:
        wire.ask("/healthz/")
        for _ in range(3):
            wire.put(b"\r\n")
            time.sleep(0.15)
        assert wire.reply().status == 408


def test_a_connection_that_says_nothing_is_closed_without_a_word(site, settings):
    settings.HEAD_SECONDS = 0.3
    with Wire(site.url) as wire:
        assert wire.ended()
        assert wire.read == b""


def test_a_connection_that_has_nothing_more_to_ask_is_closed(site, monkeypatch):
    with Wire(site.url) as wire:
        wire.put(head("/healthz/"))
        monkeypatch.setattr(site.uvicorn.config, "timeout_keep_alive", 0.3)
        with Wire(site.url) as idle:
            assert idle.ask("/healthz/").status == 200
            assert idle.ended()


def test_who_never_reads_an_answer_is_hung_up_on(site, settings):
    settings.STALL_SECONDS = 0.3
    with Wire(site.url) as wire:
        wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        many = head("/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js") * 8
        wire.put(many)
        assert eventually(lambda: is_open(site, wire))
        assert eventually(lambda: not is_open(site, wire))


def test_the_longest_waiting_connection_makes_room(site, settings):
    settings.CONNECTIONS = 5
    with ExitStack() as stack:
        for one in connections(site):
            one.transport.abort()
        assert eventually(lambda: not connections(site))
        first, *_rest = waiting = [stack.enter_context(Wire(site.url)) for _ in range(5)]
        for wire in waiting:
            wire.put(b"GET /")
        assert eventually(lambda: len(connections(site)) == 5)
        assert ask(site, "/healthz/").status == 200
        assert not is_open(site, first)
        assert all(is_open(site, wire) for wire in waiting[2:])


# Downloads

EXPORT = "/api/v1/export/"
SIZE = 12_000_000


@pytest.fixture
def export(site, monkeypatch):
    """A large document that is streamed; how often it was made."""
    from config.asgi import pages

    made: list[int] = []

    def pieces() -> Iterator[bytes]:
        made.append(1)
        yield from (b"x" * 100_000 for _piece in range(SIZE // 100_000))

    real = pages.get_response

    def answered(request):
        return StreamingHttpResponse(pieces()) if request.path.endswith("/export/") else real(request)

    monkeypatch.setattr(pages, "get_response", answered)
    return made


def slow_reader(site: Server, stack: ExitStack) -> Wire:
    wire = stack.enter_context(Wire(site.url))
    wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    return wire.put(head(EXPORT))


def test_an_account_has_so_many_downloads_open_and_slow_readers_hold_no_more_of_the_disk(site, settings, export):
    settings.DOWNLOADS = 2
    with ExitStack() as stack:
        slow = [slow_reader(site, stack) for _reader in range(2)]
        assert eventually(lambda: downloads.used == 2 * SIZE)
        for _try in range(20):
            refused = ask(site, EXPORT)
            assert (refused.status, refused.headers["retry-after"]) == (429, "5")
            assert "2 files" in json.loads(refused.body)["detail"]
        page = ask(site, "/c/export/")
        assert (page.status, "<h1>" in page.text) == (429, True)
        assert (len(export), downloads.used) == (2, 2 * SIZE), "none is made in vain"
        assert ask(site, PAGE).status == 200
        slow[0].socket.close()
        assert eventually(lambda: downloads.used == SIZE)
        assert len(ask(site, EXPORT).body) == SIZE
    assert eventually(lambda: not downloads.used)
    assert len(export) == 3, "each is made anew"


def test_downloads_of_all_share_one_space(site, settings, export):
    settings.DOWNLOAD_SPACE = int(1.5 * SIZE)
    with ExitStack() as stack:
        slow_reader(site, stack)
        assert eventually(lambda: downloads.used == SIZE)
        refused = ask(site, EXPORT)
        assert (refused.status, refused.headers["retry-after"]) == (503, "5")
        assert downloads.used == SIZE
    assert eventually(lambda: not downloads.used)
    assert ask(site, EXPORT).status == 200


def test_who_reads_without_end_but_too_slowly_is_hung_up_on(site, settings, export):
    settings.STALL_SECONDS, settings.READ_SPEED = 1, 5_000_000
    with ExitStack() as stack:
        wire = slow_reader(site, stack)
        assert eventually(lambda: downloads.used == SIZE)
        read, until = 0, time.monotonic() + 20
        while downloads.used and time.monotonic() < until:
            read += len(wire.socket.recv(50_000))
            time.sleep(0.02)
        assert not downloads.used
    assert 0 < read < SIZE / 2
    assert len(ask(site, EXPORT).body) == SIZE, "whoever reads on has all of it"


@pytest.mark.django_db
def test_whoever_holds_most_of_the_space_makes_room_for_others(settings):
    def held_by(whose: str, size: int) -> Answer:
        return answer_of(StreamingHttpResponse(b"x" * 1_000_000 for _part in range(size)), lambda: whose)

    settings.DOWNLOAD_SPACE = 20_000_000
    old, young = held_by("ana", 8), held_by("ana", 8)
    reading = old.chunks()
    next(reading)
    mine = held_by("ben", 8)
    with pytest.raises(ClientGone):
        next(reading)
    assert (sum(map(len, young.chunks())), downloads.open["ana"]) == (8_000_000, 0)
    another = held_by("cleo", 8)
    with pytest.raises(Refused):
        held_by("dan", 8)
    assert [sum(map(len, one.chunks())) for one in (mine, another)] == [8_000_000, 8_000_000]
    assert (downloads.used, downloads.open, downloads.held) == (0, {}, {})


@pytest.mark.django_db
def test_a_download_whose_making_breaks_holds_nothing():
    def broken() -> Iterator[bytes]:
        yield b"x" * 2_000_000
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        answer_of(StreamingHttpResponse(broken()), lambda: "ana")
    answer = answer_of(StreamingHttpResponse([b"x" * 2_000_000]), lambda: "ana")
    assert (downloads.used, downloads.open["ana"]) == (2_000_000, 1)
    del answer  # nobody was there to be given it
    assert (downloads.used, downloads.open) == (0, {})


# Large ones


@pytest.mark.parametrize("size", [2_700_000, 5_000_000, 20_000_000])
@pytest.mark.parametrize("path", [API, PAGE])
def test_a_body_that_is_too_large_is_told_so(site, path, size):
    with Wire(site.url) as wire:
        reply = wire.ask(path, JSON, method="POST", body=b"x" * size)
        assert (reply.status, reply.headers["connection"]) == (413, "close")
        assert ("1.0" if path == API else "2.5") in reply.text
        assert wire.ended()
    if path == API:
        assert reply.headers["content-type"] == "application/problem+json"
        assert json.loads(reply.body)["type"] == "urn:warhost:problem:too-large"
    else:
        assert "<h1>" in reply.text


def test_a_body_that_does_not_say_its_length_is_bounded_too(site):
    with Wire(site.url) as wire:
        wire.put(head(API, JSON, "Transfer-Encoding: chunked", method="POST"))
        for _ in range(50):
            wire.put(b"10000\r\n" + b"x" * 65_536 + b"\r\n")
        assert wire.put(b"0\r\n\r\n").reply().status == 413


def test_who_asks_before_sending_is_told_at_once(site):
    with Wire(site.url) as wire:
        wire.put(head(API, JSON, "Content-Length: 9000000", "Expect: 100-continue", method="POST"))
        assert wire._one("POST").status == 413
        assert wire.ended()


def test_a_refusal_speaks_the_language_of_its_reader(site):
    body = b"x" * 2_700_000
    assert "volumineux" in ask(site, PAGE, "Accept-Language: fr", FORM, method="POST", body=body).text
    assert "volumineux" in ask(site, API, "Accept-Language: fr", JSON, method="POST", body=body).text


def test_a_page_of_refusal_carries_the_headers_of_every_page(site):
    headers = ask(site, PAGE, FORM, method="POST", body=b"x" * 2_700_000).headers
    assert "script-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


def test_bodies_under_way_share_one_space(site, settings):
    settings.BODY_SPACE = 150_000
    with Wire(site.url) as first:
        first.put(head(PAGE, FORM, "Content-Length: 200000", method="POST") + b"x" * 100_000)
        assert eventually(lambda: request_bodies.space.used >= 100_000)
        refused = ask(site, PAGE, FORM, method="POST", body=b"x" * 100_000)
        assert (refused.status, refused.headers["retry-after"]) == (503, "5")
        assert ask(site, PAGE, FORM, method="POST", body=b"x" * 50_000).status == 403


def test_a_full_disk_is_told(site, monkeypatch):
    class Full(request_bodies.SpooledTemporaryFile):
        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(request_bodies, "SpooledTemporaryFile", Full)
    assert ask(site, PAGE, FORM, method="POST", body=b"x" * 100_000).status == 507


def test_a_megabyte_of_json_is_enough_but_for_files(settings):
    """Whatever of the API takes a file, or its rows, is known to the limits."""
    document = yaml.safe_load((settings.BASE_DIR / "openapi.yaml").read_text())
    shapes, more = document["components"]["schemas"], set()
    for path, methods in document["paths"].items():
        for asked in (one["requestBody"]["content"] for one in methods.values() if "requestBody" in one):
            sent = [one.get("schema", {}).get("$ref", "").rpartition("/")[2] for one in asked.values()]
            fields = [field for shape in sent for field in shapes.get(shape, {}).get("properties", {}).items()]
            file = any(name == "file" or field.get("maxLength", 0) > MB for name, field in fields)
            limit = request_bodies.get_limit(re.sub(r"\{.*?\}", "x", path))
            wanted = settings.BODY_LIMIT if file else settings.IMPORT_LIMIT if "/campaigns/import/" in path else MB
            wanted = settings.MAP_LIMIT if path.endswith("/map/import/") else wanted
            assert limit == wanted, path
            more |= {path} if file else set()
    assert len(more) >= 3


def test_a_limit_is_a_matter_of_the_path(settings):
    settings.BODY_LIMITS = [(re.compile(r"^/api/v1/import/$"), 50)]
    assert request_bodies.get_limit("/api/v1/import/") == 50
    assert request_bodies.get_limit("/api/v1/") == settings.BODY_LIMIT


@pytest.mark.parametrize("line", [b"X: " + b"x" * 300_000, b"X: y\r\n" * 20_000])
def test_a_head_has_a_limit(site, line):
    with Wire(site.url) as wire:
        wire.put(b"GET / HTTP/1.1\r\n")
        time.sleep(0.05)
        wire.put(line[:HEAD_LIMIT])
        time.sleep(0.05)
        wire.put(line[HEAD_LIMIT : HEAD_LIMIT + 10])
        assert wire.reply().status == 431


# Odd ones


def test_a_chunked_body_arrives_whole(server):
    with Wire(server.url) as wire:
        token = wire.ask("/accounts/login/").headers["set-cookie"].split("csrftoken=")[1].split(";")[0]
        form = f"csrfmiddlewaretoken={token}&login=sella&password=wrong".encode()
        cookie = f"Cookie: csrftoken={token}"
        wire.put(head("/accounts/login/", FORM, cookie, "Transfer-Encoding: chunked", method="POST"))
        wire.put(b"%x\r\n%b\r\n%x\r\n%b\r\n" % (9, form[:9], len(form) - 9, form[9:]))
        reply = wire.put(b"0\r\nHost: evil.example\r\n\r\n").reply()  # a trailer is no header
    assert reply.status == 200
    assert 'value="sella"' in reply.text


def test_a_body_is_asked_for_when_the_client_waits_for_that(site):
    with Wire(site.url) as wire:
        wire.put(head(PAGE, FORM, "Content-Length: 3", "Expect: 100-continue", method="POST"))
        assert wire._one("POST").status == 100
        assert wire.put(b"a=1").reply().status == 403


def test_pipelined_requests_are_answered_in_order(site):
    with Wire(site.url) as wire:
        wire.put(head(PAGE) + head("/healthz/") + head(PAGE, FORM, "Content-Length: 3", method="POST") + b"a=1")
        replies = [wire.reply() for _ in range(3)]
    assert [reply.status for reply in replies] == [200, 200, 403]
    assert replies[1].body == b'{"status": "ok"}'


def test_a_body_longer_than_announced_is_no_body(site):
    with Wire(site.url) as wire:
        wire.put(head(PAGE, FORM, "Content-Length: 3", method="POST") + b"a=1and more of it\r\n\r\n")
        assert wire.reply().status in {400, 403}
        assert wire.ended()


def test_clients_that_hang_up_in_the_middle_leave_nothing_behind(site):
    for _ in range(30):
        with Wire(site.url) as wire:
            wire.put(head(PAGE, FORM, "Content-Length: 200000", method="POST") + b"x" * 100_000)
        with Wire(site.url) as wire:
            wire.put(head(PAGE) * 3)
    assert eventually(lambda: not site.busy)
    assert ask(site, PAGE).status == 200


def test_old_clients_and_odd_methods_are_answered(site):
    assert ask(site, PAGE, version="1.0").headers["connection"] == "close"
    assert ask(site, PAGE, method="HEAD").status == 200
    assert ask(site, FILE, method="HEAD").body == b""
    assert ask(site, PAGE, method="OPTIONS").headers["allow"] == "GET, HEAD, OPTIONS"
    assert ask(site, FILE, method="POST", body=b"x").status == 405
    assert ask(site, "/healthz/", method="OPTIONS").status == 405
    assert ask(site, "/?q=%ff").status in {200, 302}


def test_an_address_that_is_no_text_is_refused(site):
    with Wire(site.url) as wire:
        reply = wire.put(b"GET /credits/?q=\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n").reply()
    assert reply.status == 400


def test_another_protocol_is_not_spoken(site):
    with Wire(site.url) as wire:
        assert wire.ask(PAGE, "Connection: Upgrade", "Upgrade: websocket").status == 200
        assert wire.ended()


def test_what_was_read_is_no_longer_trusted_for_that(site):
    """A form without its token is refused after its body was read, not before."""
    body = b"login=a&password=b"
    with Wire(site.url) as wire:
        assert wire.ask("/accounts/login/", FORM, method="POST", body=body).status == 403
        assert wire.ask(PAGE).status == 200  # on the same connection


# Files


def test_files_carry_their_headers_and_keep_their_conditions(site):
    fetched = ask(site, FILE)
    assert fetched.headers["content-type"].startswith("image/svg+xml")
    assert fetched.headers["x-content-type-options"] == "nosniff"
    assert len(fetched.body) == int(fetched.headers["content-length"]) > 100
    since = f"If-Modified-Since: {fetched.headers['last-modified']}"
    assert ask(site, FILE, since).status == 304
    part = ask(site, FILE, "Range: bytes=0-9")
    assert (part.status, part.body) == (206, fetched.body[:10])


def test_a_file_that_is_not_there_is_a_page_that_is_not_there(site):
    assert "<h1>" in ask(site, "/static/nothing.css").text


# Names


@pytest.mark.parametrize("path", ["/healthz/", "/readyz/"])
def test_a_supervisor_may_ask_under_any_name(server, path):
    with Wire(server.url) as wire:
        reply = wire.put(head(path, host="10.0.0.7:8000")).reply()
    assert (reply.status, reply.body) == (200, b'{"status": "ok"}')


def test_other_pages_say_why_a_name_is_not_served(site):
    with Wire(site.url) as wire:
        page = wire.put(head(PAGE, host="evil.example")).reply()
        problem = wire.put(head(API, host="evil.example")).reply()
    assert (page.status, problem.status) == (400, 400)
    assert "ALLOWED_HOSTS" in page.text
    assert json.loads(problem.body)["status"] == 400


# Compression


def test_pages_are_compressed_on_the_wire(site):
    plain = ask(site, PAGE)
    small = ask(site, PAGE, "Accept-Encoding: br, gzip")
    assert small.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert len(small.body) < len(plain.body) / 2
    assert b"<h1>" in gzip.decompress(small.body)
    assert "Accept-Encoding" in plain.headers["vary"]
    assert "Accept-Encoding" in small.headers["vary"]
