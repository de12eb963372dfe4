"""Rendering of pages: whole or in part, and 422 for refused forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import jinja2
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render, resolve_url
from django.template import engines, loader
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString, mark_safe
from django_htmx.http import HttpResponseClientRedirect

from core.text import render as said
from kingdom.chronicle.field_change import link_refusal
from kingdom.map.displacement import Displaced
from rules.core.errors import Refusal

PAGE_SIZE = 50
SOUGHT_MAX = 100
UNPROCESSABLE = 422
LIVE_SEEN, LIVE_VERSION = "Live-Seen", "Live-Version"  # headers of a live page that refreshes


def render_page(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    *,
    partial: str | None = None,
    piece: str | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the page; for htmx only its `partial`, or the template `piece` of that part. The server chooses them, not
    the client.

    Boosted links and history restores get the whole page. A live page that refreshes gets 204 if nothing has changed
    (`kingdom.templatetags.live`).
    """
    if LIVE_SEEN in request.headers and request.method == "GET":
        return _looked_again(request, template, context, status)
    htmx = getattr(request, "htmx", None)
    part = piece or (f"{template}#{partial}" if partial else template)
    whole = not htmx or htmx.boosted or htmx.history_restore_request
    response = render(request, template if whole else part, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _looked_again(request: HttpRequest, template: str, context: dict[str, Any], status: int) -> HttpResponse:
    request.htmx = None  # type: ignore[attr-defined]  # drawn as it was, not as an answer to a form
    response = render(request, template, {**context, "again": True}, status=status)
    shown = getattr(request, "shown", None)
    if shown and shown.seen == request.headers[LIVE_SEEN]:
        response = HttpResponse(status=204)
    if shown:
        response[LIVE_VERSION] = str(shown.revision)
    patch_vary_headers(response, [LIVE_SEEN])
    return response


def go(request: HttpRequest, name: str, *args: Any) -> HttpResponse:
    """Redirect. For htmx the response makes the browser load the page; otherwise htmx would insert it into a part of
    the current one.
    """
    if getattr(request, "htmx", None):
        return HttpResponseClientRedirect(resolve_url(name, *args))
    return redirect(name, *args)


def go_back(request: HttpRequest, name: str, *args: Any) -> HttpResponse:
    """Redirect to the page of this site that sent the request, or as `go` if the browser does not tell which."""
    came_from = request.META.get("HTTP_REFERER", "")
    if getattr(request, "htmx", None) or not _ours(request, came_from):
        return go(request, name, *args)
    return redirect(came_from)


def go_onward(onward: str, name: str, *args: Any) -> HttpResponse:
    """Redirect to the path that a form or link named as `next`, or to the page `name` if it is none of this site."""
    return redirect(onward) if url_has_allowed_host_and_scheme(onward, allowed_hosts=None) else redirect(name, *args)


def _ours(request: HttpRequest, url: str) -> bool:
    """Return whether the address is another page of this site."""
    if not url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure()):
        return False
    return urlsplit(url).path != request.path


def submit[Result](form: BaseForm, action: Callable[[dict[str, Any]], Result]) -> Result | None:
    """Return `action(cleaned_data)` for a valid form. None if the form is invalid or refused; it then has the
    errors.
    """
    if not form.is_valid():
        return None
    try:
        return action(form.cleaned_data)
    except Refusal as refusal:
        add_refusal(form, refusal)
        return None


def read_agreement(request: HttpRequest) -> tuple[QueryDict, str]:
    """Return the submitted data and the key of the agreement. If the user confirms a question, the data are those the
    question was about, even if the fields have changed.
    """
    if "anyway" not in request.POST:
        return request.POST, ""
    asked = QueryDict(request.POST["anyway"])
    return asked, asked.get("agreed", "")


def build_question(would: Displaced, form: BaseForm, **besides: str) -> dict[str, str]:
    """Return the context of a question: its text, and the data to send with the confirmation (the form's, and
    `besides`).
    """
    sent = {name: form.data[name] for name in form.fields if form.data.get(name)}
    return {"told": said(would.message), "carried": urlencode({**sent, **besides, "agreed": would.key})}


def add_refusal(form: BaseForm, refusal: Refusal) -> None:
    """Add a refusal to the form: at the field its pointer names, or to the whole form."""
    for pointer, message in refusal.errors:
        form.add_error(_field_of(form, pointer), link_refusal(refusal, message))


def _field_of(form: BaseForm, pointer: str) -> str | None:
    """Return the field name for a pointer: `sheet-men` for "/sheet/men", else `sheet`; None if there is neither."""
    parts = pointer.strip("/").split("/")
    names = ("-".join(parts[:depth]) for depth in range(len(parts), 0, -1))
    return next((name for name in names if name in form.fields), None)


class ListLook(NamedTuple):
    """Query of a list: the text of its search field, and the page number."""

    query: str = ""
    page: str = ""


EVERYTHING = ListLook()


def look_of(request: HttpRequest) -> ListLook:
    return ListLook(request.GET.get("q", "")[:SOUGHT_MAX].replace("\0", "").strip(), request.GET.get("page", ""))


def paginate_request(request: HttpRequest, rows: QuerySet[Any] | Sequence[Any], size: int = PAGE_SIZE) -> Page:
    """Return the requested page of a list; an invalid number gives the nearest page."""
    return paginate(rows, request.GET.get("page", ""), size)


def paginate(rows: QuerySet[Any] | Sequence[Any], asked: str = "", size: int = PAGE_SIZE) -> Page:
    """Return the page with this number. A list that fits on one page is not counted."""
    if asked not in ("", "1"):
        return Paginator(rows, size).get_page(asked)
    first = list(rows[: size + 1])
    if len(first) <= size:
        return Paginator(first, size).get_page(1)
    return Page(first[:size], 1, Paginator(rows, size))


def get_status(form: BaseForm) -> int:
    """Return 422 for a refused form, else 200."""
    return UNPROCESSABLE if form.is_bound and form.errors else 200


# Bridge between Django templates (templates/) and Jinja2 (templates/jinja2/). What is rendered often, or many times on
# a page, is a piece in Jinja2: a file with one macro, `draw`, whose parameters name what it needs. Templates of one
# language render those of the other by these functions.


ENGINE = "jinja2"


def render_piece(name: str, /, **wanted: Any) -> SafeString:
    """Render the macro `draw` of a Jinja2 file. Raises `TypeError` for arguments it does not take."""
    environment: jinja2.Environment = engines[ENGINE].env  # type: ignore[attr-defined]
    return mark_safe(environment.get_template(name).module.draw(**wanted))  # type: ignore[attr-defined]


def render_component(name: str, **wanted: Any) -> SafeString:
    """Render a Django template with only these values."""
    return mark_safe(loader.get_template(name).render(wanted))


@jinja2.pass_context
def render_with_page(context: jinja2.runtime.Context, name: str, **wanted: Any) -> SafeString:
    """Render a Django template with these values and the page's request."""
    return mark_safe(loader.get_template(name).render(wanted, context["request"]))


def render_whole(name: str, known: dict[str, Any]) -> SafeString:
    """Render a template of either language with the whole context of the page."""
    return mark_safe(loader.get_template(name).render(known))


@jinja2.pass_context
def render_template(context: jinja2.runtime.Context, name: str, **more: Any) -> SafeString:
    """Render a template within Jinja2, with the whole context and `more`."""
    everywhere = context.environment.globals
    known = {name: value for name, value in context.get_all().items() if everywhere.get(name) is not value}
    return render_whole(name, known | more)
