"""One attempt, to a real server: what it says, how long it may take, and where it never goes."""

from __future__ import annotations

import socket
import ssl
import time
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from kingdom.models import WebhookAttempt
from kingdom.webhooks import addresses
from kingdom.webhooks.addresses import post
from tests.kingdom.webhooks.conftest import answer

Hitch = WebhookAttempt.Hitch
HEADERS = {"webhook-id": "msg_1"}
SHORT = 0.4  # seconds of patience with whoever has no end


def test_it_is_a_post_of_json_and_says_who_sends_it(listener):
    said = post(listener.url, HEADERS, '{"é":1}')
    assert (said.status, said.trouble) == (204, "")
    (heard,) = listener.heard
    assert (heard.path, heard.body) == ("/hook?of=mine", '{"é":1}')
    assert heard.headers["content-type"] == "application/json"
    assert heard.headers["user-agent"] == addresses.AGENT
    assert heard.headers["webhook-id"] == "msg_1"
    assert heard.headers["host"] == listener.url.split("/")[2]
    assert not {"cookie", "authorization", "referer"} & heard.headers.keys()


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_every_2xx_is_well(listener, status):
    listener.status = status
    assert post(listener.url, HEADERS, "{}").well


@pytest.mark.parametrize("status", [400, 401, 404, 410, 429, 500, 503])
def test_everything_else_is_not(listener, status):
    listener.status = status
    said = post(listener.url, HEADERS, "{}")
    assert (said.status, said.trouble) == (status, Hitch.REFUSED)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_it_is_sent_to_nobody_else(listener, status):
    elsewhere = listener.url.replace("/hook", "/elsewhere")
    listener.then = lambda handler: answer(handler, status, "", Location=elsewhere)
    said = post(listener.url, HEADERS, "{}")
    assert (said.status, said.trouble) == (status, Hitch.REDIRECT)
    assert [heard.path for heard in listener.heard] == ["/hook?of=mine"]


def test_cookies_are_not_kept(listener):
    listener.then = lambda handler: answer(handler, 200, "", Set_Cookie="a=b; Path=/")
    for _turn in range(2):
        post(listener.url, HEADERS, "{}")
    assert [heard.headers.get("cookie") for heard in listener.heard] == [None, None]


def test_the_first_lines_of_an_answer_are_kept(listener):
    listener.then = lambda handler: answer(handler, 400, "\n".join(f"line {number}\x00\x1b[31m" for number in range(9)))
    assert post(listener.url, HEADERS, "{}").answer == "\n".join(f"line {number}[31m" for number in range(5))


def test_a_great_answer_is_read_no_further(listener):
    sent: list[int] = []

    def flood(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(1 << 30))
        handler.end_headers()
        for _piece in range(1 << 14):
            handler.wfile.write(b"x" * (1 << 16))
            sent.append(1 << 16)

    listener.then = flood
    said = post(listener.url, HEADERS, "{}")
    assert said.well
    assert len(said.answer) == addresses.ANSWER_MAX
    time.sleep(0.2)
    assert sum(sent) < 64 << 20  # what the system's own buffers hold, not the gigabyte


def _never(handler):
    time.sleep(30)


def _drop_by_drop(handler):
    """Something every moment, and never the end of its head."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(300):
        handler.wfile.write(f"X-{number}: y\r\n".encode())
        time.sleep(0.1)


@pytest.mark.parametrize("slow", [_never, _drop_by_drop])
def test_who_takes_too_long_is_not_waited_for(listener, monkeypatch, slow):
    monkeypatch.setattr(addresses, "LIMIT", SHORT)
    listener.then = slow
    began = time.monotonic()
    said = post(listener.url, HEADERS, "{}")
    assert (said.status, said.trouble) == (None, Hitch.SLOW)
    assert 0.9 * SHORT < time.monotonic() - began < SHORT + 1.5
    assert 900 * SHORT < said.milliseconds < 1000 * SHORT + 1500


def test_the_status_counts_even_where_the_rest_never_comes(listener, monkeypatch):
    monkeypatch.setattr(addresses, "LIMIT", 1.0)  # the status has to come within it

    def half(handler):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        time.sleep(30)

    listener.then = half
    said = post(listener.url, HEADERS, "{}")
    assert (said.status, said.trouble, said.answer) == (200, "", "half")


@pytest.mark.parametrize("junk", [b"", b"SSH-2.0-x\r\n", b"HTTP/1.1 abc\r\n\r\n", b"\x00" * 100_000])
def test_what_speaks_no_http_is_nobody(listener, junk):
    listener.then = lambda handler: (handler.wfile.write(junk), handler.connection.close())
    said = post(listener.url, HEADERS, "{}")
    assert (said.status, said.trouble) == (None, Hitch.UNREACHABLE)


def test_nobody_there(listener):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert post(f"http://127.0.0.1:{port}/", HEADERS, "{}").trouble == Hitch.UNREACHABLE


@pytest.mark.parametrize(("asked", "wait"), [("7", 7), ("1.5", 1.5), ("nan", 0), ("-3", 0), ("x" * 99, 0), ("", 0)])
def test_when_to_come_again_may_be_said_in_seconds(listener, asked, wait):
    listener.then = lambda handler: answer(handler, 429, "", Retry_After=asked)
    assert post(listener.url, HEADERS, "{}").wait == wait


def test_the_address_is_looked_at_again_and_that_very_one_is_connected_to(listener, monkeypatch, settings):
    """A name that led to a public address when it was saved, and to this machine now (DNS rebinding)."""
    asked: list[str] = []

    def turned(host, port):
        asked.append(host)
        return ["127.0.0.1"]

    monkeypatch.setattr(addresses, "resolve", turned)
    port = listener.url.split(":")[2].split("/")[0]
    settings.WEBHOOKS_TO = ()
    assert post(f"https://bot.example.org:{port}/", HEADERS, "{}").trouble == Hitch.FORBIDDEN
    assert listener.heard == []
    monkeypatch.undo()


def test_the_name_is_asked_for_once_and_never_by_the_connection(listener, monkeypatch):
    monkeypatch.setattr(addresses, "resolve", lambda host, port: ["127.0.0.1"])
    real = socket.getaddrinfo

    def by_number_only(host, *rest, **more):
        assert host == "127.0.0.1", f"{host} was looked up a second time"
        return real(host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", by_number_only)
    port = listener.url.split(":")[2].split("/")[0]
    assert post(f"http://bot.example.org:{port}/x", HEADERS, "{}").well
    assert listener.heard[0].headers["host"] == f"bot.example.org:{port}"


@pytest.fixture
def trusted(tmp_path, monkeypatch):
    """A certificate of bot.example.org, and a machine that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "bot.example.org")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("bot.example.org")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "bot.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return file


@pytest.fixture
def encrypted(listener, trusted, monkeypatch):
    """The same server behind TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(trusted)
    listener.server.socket = context.wrap_socket(listener.server.socket, server_side=True)
    monkeypatch.setattr(addresses, "resolve", lambda host, port: ["127.0.0.1"])
    return listener.url.split(":")[2].split("/")[0]


def test_over_https_the_certificate_is_that_of_the_name(listener, encrypted):
    assert post(f"https://bot.example.org:{encrypted}/", HEADERS, "{}").well
    assert post(f"https://other.example.org:{encrypted}/", HEADERS, "{}").trouble == Hitch.UNTRUSTED
    assert len(listener.heard) == 1


def test_a_certificate_nobody_trusts_is_refused(listener, encrypted, monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE")
    assert post(f"https://bot.example.org:{encrypted}/", HEADERS, "{}").trouble == Hitch.UNTRUSTED
    assert listener.heard == []
