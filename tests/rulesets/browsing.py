"""A reader who sends the forms of a page with what stands in them, but for what they type themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.test import Client
from django.utils.html import strip_tags

from tests.walking import offered


class Reader:
    def __init__(self, user: Any, language: str = "en"):
        self.client = Client(headers={"Accept-Language": language})
        self.client.force_login(user)

    def status(self, url: str) -> int:
        return self.client.get(url).status_code

    def read(self, url: str) -> str:
        """What the page says, in plain words."""
        return plain(self.markup(url))

    def markup(self, url: str) -> str:
        answer = self.client.get(url)
        assert answer.status_code == 200, (url, answer.status_code)
        return answer.content.decode()

    def send(self, page: str, form: str = "", **typed: Any) -> Any:
        """Send a form that `page` offers: the one whose address ends like this. Dashes of names are underscores."""
        return self._sent(page, self.markup(page), form, typed)

    def _sent(self, page: str, markup: str, form: str, typed: Mapping[str, Any]) -> Any:
        typed = {name.replace("__", "-"): value for name, value in typed.items()}
        for name in typed:
            # A side has its field once an army is on it: the page's buttons put one there.
            assert f'name="{name}"' in markup or name.startswith("armies-"), f"{page} has no field {name}"
        steps = [step for step in offered(page, markup) if step.method == "post" and step.url.endswith(form or page)]
        assert steps, f"{page} has no form for {form or page}"
        kept: dict[str, list[str]] = {}
        for name, value in steps[0].data:
            kept.setdefault(name, []).append(value)
        return self.client.post(steps[0].url, {**kept, **typed})

    def done(self, page: str, form: str = "", **typed: Any) -> str:
        """Send it, and answer where it led."""
        answer = self.send(page, form, **typed)
        assert answer.status_code == 302, plain(answer.content.decode())
        return answer.headers["Location"]

    def refused(self, page: str, form: str = "", **typed: Any) -> str:
        """Send it, and answer the page that came back with the refusal."""
        (refused,) = self.refused_each(page, [typed], form)
        return refused

    def refused_each(self, page: str, each: Iterable[Mapping[str, Any]], form: str = "") -> Iterator[str]:
        """The same with one thing after the other, by a page that was asked for once."""
        markup = self.markup(page)
        for typed in each:
            answer = self._sent(page, markup, form, typed)
            assert answer.status_code == 422, (answer.status_code, answer.headers)
            yield answer.content.decode()


def plain(markup: str) -> str:
    return " ".join(strip_tags(re.sub(r"<(head|script|svg)\b.*?</\1>", " ", markup, flags=re.S)).split())


def beside(markup: str, field: str) -> str:
    """What is said beside a field."""
    found = re.search(rf'id="id_{field}_error">(.*?)</div>', markup, re.S)
    assert found, plain(markup)
    assert f'aria-describedby="id_{field}' in markup
    return plain(found[1])
