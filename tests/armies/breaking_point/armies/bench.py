"""The builder in the hands of one person, who has no scripts."""

from __future__ import annotations

from typing import Any

from armies.breaking_point.armies.draft_rows import REDRAW
from tests.rulesets.browsing import Reader, plain
from tests.walking import offered


def form_of(markup: str, url: str) -> dict[str, list[str]]:
    """What a browser would send of the builder as it stands."""
    step = next(step for step in offered(url, markup) if step.method == "post" and step.url.endswith(url))
    kept: dict[str, list[str]] = {}
    for name, value in step.data:
        if name not in (*REDRAW, "file"):
            kept.setdefault(name, []).append(value)
    return kept


class Bench:
    """The form in the hands of one person."""

    def __init__(self, user: Any, url: str, language: str = "en"):
        self.reader, self.url = Reader(user, language), url
        self.markup = self.reader.markup(url)

    def press(self, **buttons: Any) -> str:
        """Send it with a button or something typed, and answer the page that comes back in plain words."""
        self.redraw(**buttons)
        return plain(self.markup)

    def redraw(self, **buttons: Any) -> None:
        """The same for who looks at its markup: to say a large page in plain words takes as long as to draw it."""
        answer = self.reader.client.post(self.url, {**form_of(self.markup, self.url), **buttons})
        assert answer.status_code in (200, 422), answer.headers
        self.markup, self.status = answer.content.decode(), answer.status_code

    @property
    def fields(self) -> dict[str, list[str]]:
        return form_of(self.markup, self.url)

    def send(self, **typed: Any) -> Any:
        return self.reader.client.post(self.url, {**form_of(self.markup, self.url), **typed})
