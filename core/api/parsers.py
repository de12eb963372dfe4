"""Parsers of request bodies."""

from __future__ import annotations

from typing import Any

from rest_framework.parsers import JSONParser

from core.strict_json import read_json


class StrictJSONParser(JSONParser):
    """JSON parser for UTF-8, whatever charset the header names. A fault is a 400 with its JSON pointer."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        return read_json(stream.read())
