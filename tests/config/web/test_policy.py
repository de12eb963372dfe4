"""The policy of the pages (CSP) is on whatever is answered, by whichever of the server's doors."""

from __future__ import annotations

import http.client

ANSWERS = (
    ("GET", "/accounts/login/", 200), ("GET", "/nowhere/", 404), ("GET", "/accounts/password/change/", 302),
    ("POST", "/accounts/login/", 403),
    ("GET", "/static/css/dice.css", 200), ("GET", "/static/nowhere.css", 404), ("GET", "/healthz/", 200),
    ("GET", "/api/v1/campaigns/", 401), ("GET", "/api/v1/docs/", 200), ("GET", "/live/campaign/x/", 404),
    ("GET", "/manifest.webmanifest", 200), ("GET", "/worker.js", 200),
)  # fmt: skip


def test_the_policy_is_on_every_kind_of_answer(server):
    """Pages, refusals of Django and of what stands before it, files, API, streams."""
    told_of, without = [], []
    for method, path, _status in ANSWERS:
        line = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=10)
        line.request(method, path)
        answer = line.getresponse()
        told_of.append((method, path, answer.status))
        if "script-src 'self'" not in (answer.getheader("Content-Security-Policy") or ""):
            without.append((method, path[:60], answer.status))
        line.close()
    assert without == []
    assert told_of == list(ANSWERS)
