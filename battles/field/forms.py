"""Base form of commands: the version its sender saw."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict

from battles.codec.requests import read_command
from battles.models import Battle
from core.clean_input import parse_whole
from core.text import render
from rules.core.errors import Refusal


class CommandForm(forms.Form):
    """`kind` is the command's type in the API, unless `command_type` is. Refusals come back beside their field."""

    kind = command_type = ""
    own_template = ""  # of a form that takes the GM's desk for itself
    concerns = ""  # the army it is about, for forms of which a page has many

    def __init__(self, version: int, data: QueryDict | None = None, *, auto_id: str = "", **options: Any):
        super().__init__(data, auto_id=auto_id or f"{self.kind}-%s", label_suffix="", **options)
        self.version = version

    @property
    def seen(self) -> int:
        """The version the sender looked at; 0 (never current) when they do not say."""
        return parse_whole(self.data.get("version")) or 0

    def members(self) -> dict[str, Any]:
        """The members of its command, as the law's reader takes them."""
        return self.cleaned_data

    def command_for(self, battle: Battle) -> Any:
        """What it asks of this battle. Raises `InvalidInput`."""
        members = self.members()
        return read_command(self.command_type or self.kind, members, battle)

    def refused(self, refusal: Refusal) -> None:
        for pointer, message in refusal.errors:
            name = pointer.strip("/").split("/")[0]
            self.add_error(name if name in self.fields else None, render(message))
