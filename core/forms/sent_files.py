"""Sent files as text: a form that is a body of the API has no files, so their text stands among its fields."""

from __future__ import annotations

from django.http import HttpRequest, QueryDict

FILE_MOST = 256 * 1024


def read_sent(request: HttpRequest) -> QueryDict:
    """What was sent, the text of files among it; of a longer one so much that it is seen to be too long."""
    if not request.FILES:
        return request.POST
    data = request.POST.copy()
    for name in request.FILES:
        file = request.FILES.get(name)
        data[name] = file.read(FILE_MOST + 1).decode("utf-8", "replace") if file else ""
    return data
