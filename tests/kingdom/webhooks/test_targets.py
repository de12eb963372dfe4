"""Where a webhook may lead, and where not: asked when it is saved, and of the very address that is connected to."""

from __future__ import annotations

import socket
import time

import pytest

from core.client_info import parse_networks
from kingdom.webhooks import addresses
from kingdom.webhooks.addresses import Nowhere, clean_url, is_public, resolve
from rules.core.errors import InvalidInput

PUBLIC = ("93.184.215.14", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001:82a::200e")
REFUSED = (
    "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",  # private
    "169.254.169.254", "169.254.0.1", "168.63.129.16", "100.100.100.200", "fd00:ec2::254",  # of the clouds
    "100.64.0.1", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "240.0.0.1",
    "224.0.0.1", "255.255.255.255",
    "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "2001:db8::1", "3fff::1", "100::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:93.184.215.14", "::127.0.0.1",  # an IPv4 in disguise
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1", "2001:0:1::1",
    "", "nowhere", "1.2.3",
)  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_the_open_internet_may_be_told(address):
    assert is_public(address)


@pytest.mark.parametrize("address", REFUSED)
def test_everything_else_may_not(address):
    assert not is_public(address)


@pytest.fixture
def names(monkeypatch):
    """What names stand for."""
    known: dict[str, list[str]] = {"bot.example.org": ["93.184.215.14"]}
    monkeypatch.setattr(addresses, "resolve", lambda host, port: known[host])
    return known


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://bot.example.org", "https://bot.example.org/"),
        ("  https://BOT.example.org:443/a?b=c#d ", "https://bot.example.org/a?b=c"),
        ("https://bot.example.org:8443/ä", "https://bot.example.org:8443/%C3%A4"),
    ],
)
def test_an_address_is_kept_plainly(names, given, kept):
    assert clean_url(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        None, "", " ", 7, "bot.example.org", "http://bot.example.org/", "ftp://bot.example.org/", "https://",
        "https:///path", "https://me:secret@bot.example.org/", "https://bot.example.org:0/",
        "https://bot.example.org:99999/", "https://bot.example.org/a b", "https://bot.example.org/\r\nX: y",
        "https://[::1", "javascript:alert(1)", "file:///etc/passwd", "https://" + "a" * 3000, "https://" + "a." * 200,
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_beside_its_field(names, given):
    with pytest.raises(InvalidInput) as refusal:
        clean_url(given)
    assert [pointer for pointer, _said in refusal.value.errors] == ["/url"]


@pytest.mark.parametrize("written", ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "localhost", "[::1]"])
def test_however_this_machine_is_written_it_is_refused(written):
    """Asked of the system itself."""
    with pytest.raises(InvalidInput):
        clean_url(f"https://{written}/")


def test_one_private_address_among_public_ones_is_enough(names):
    names["bot.example.org"] = ["93.184.215.14", "10.0.0.1"]
    with pytest.raises(InvalidInput):
        clean_url("https://bot.example.org/")


def test_ones_own_machines_are_told_where_the_site_names_them(names, settings):
    """And by plain HTTP only they."""
    names |= {"bot.home": ["192.168.1.20"], "other.home": ["192.168.2.20"]}
    settings.WEBHOOKS_TO = parse_networks(["192.168.1.0/24"])
    assert clean_url("http://bot.home/") == "http://bot.home/"
    assert clean_url("https://bot.home/") == "https://bot.home/"
    for refused in ("http://other.home/", "https://other.home/", "http://bot.example.org/"):
        with pytest.raises(InvalidInput):
            clean_url(refused)


def test_a_name_that_leads_nowhere_is_told_as_such(monkeypatch):
    def unknown(*_asked, **_more):
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(Nowhere):
        resolve("bot.example.org", 443)
    with pytest.raises(InvalidInput):
        clean_url("https://bot.example.org/")


def test_a_name_is_not_searched_for_without_end(monkeypatch):
    monkeypatch.setattr(addresses, "NAME_SECONDS", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_asked, **_more: time.sleep(2))
    began = time.monotonic()
    with pytest.raises(Nowhere):
        resolve("bot.example.org", 443)
    assert time.monotonic() - began < 1
