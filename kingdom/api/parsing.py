"""Bodies as JSON that can be stored and answered."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.utils import json


class CleanJSONParser(JSONParser):
    """JSON whose texts are text: half a surrogate pair can be neither kept nor written back."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        data = super().parse(stream, media_type, parser_context)
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise ParseError(_("This holds characters that are not text.")) from error
        return data
