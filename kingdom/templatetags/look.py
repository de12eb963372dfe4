"""Template tags for the elements of pages: icons, numbers with breakdowns, health, dice, small charts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeGuard

from django import template
from django.forms import BoundField
from django.template import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.text import group_digits, render
from kingdom import contributions as kingdom_slots
from kingdom.access.permissions import Leave
from kingdom.codex.queries import get_rule_url
from kingdom.length_fields import convert_to_feet, reads_feet
from kingdom.models import Campaign
from kingdom.rendering import render_piece
from kingdom.templatetags.glyphs import drawn_die
from rules.core import text
from rules.core.text import MINUS, Said

register = template.Library()

NOTHING = "–"
PLAIN_ICON = "vertical-banner"
DIE_SOURCES = {
    "rolled": gettext_lazy("rolled"),
    "typed": gettext_lazy("entered by {who}"),
    "replayed": gettext_lazy("replayed"),
}


# Words and numbers


@register.filter
def said(words: object) -> str:
    """Return a term or message (or any string) in the reader's language."""
    return render(words)


@register.filter
def colon(label: object) -> str:
    """Return the label with a colon, which French sets apart by a space."""
    return _("{label}:").format(label=render(label))


@register.filter
def or_ask(leave: Leave, words: str) -> str:
    """Return a button's text, or that the GM will be asked."""
    return _("Ask the GM: {deed}").format(deed=words) if leave.asks else words


@register.filter
def minus(number: object) -> str:
    """Return a number with a real minus sign and no plus sign; other values unchanged."""
    if number is None:
        return NOTHING
    return group_digits(number).replace("-", MINUS, 1) if _is_number(number) else render(number)


@register.filter
def in_percent(number: object, share: bool = True) -> str:
    """Return a number with the percent sign if it is a `share`, else without."""
    return render(text.in_percent(minus(number))) if share else minus(number)


@register.filter
def signed(number: object) -> str:
    """Return a number as a modifier: +11, −2, +0."""
    plus = "+" if _is_number(number) and number >= 0 else ""
    return plus + minus(number)


@register.simple_tag
def health_left(now: int, most: int, share: bool = False, words: Said | None = None) -> str:
    """Return the health left. `share`: `now` is a percentage; `words`: these words instead."""
    if words:
        return render(words)
    return in_percent(now) if share else f"{minus(now)} / {minus(most)}"


@register.simple_tag
def number(value: object, plain: bool = False) -> str:
    return minus(value) if plain else signed(value)


@register.simple_tag
def value_of(value: object) -> str:
    """Return the old or new value of a change in words."""
    match value:
        case bool():
            return _("yes") if value else _("no")
        case list() | tuple():
            return ", ".join(value_of(item) for item in value) or NOTHING
        case "" | None:
            return NOTHING
    return minus(value)


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


@register.filter
def metres(length: float, reader: Any) -> str:
    """Return a length (in metres) in the reader's unit: 9 m, 30 ft."""
    if not reads_feet(reader):
        return _("{metres} m").format(metres=number_format(length))
    return _("{feet} ft").format(feet=round(convert_to_feet(Decimal(str(length)))))


@cache
def manifest() -> Mapping[str, Any]:
    """Return static/icons.json: the icons of the sprite with their authors, and their aliases."""
    path = Path(__file__).resolve().parents[2] / "static" / "icons.json"
    return dict(json.loads(path.read_text()))


def symbol_of(name: str) -> str:
    """Return the id in the sprite for an icon's name, a word of the interface or a rule slug."""
    symbol = manifest()["aliases"].get(name, name)
    return symbol if symbol in manifest()["icons"] or symbol in manifest()["own"] else PLAIN_ICON


@register.simple_tag
def icon(name: str, label: str = "", **attrs: str) -> SafeString:
    """Return an icon of the sprite: decoration, unless `label` gives a text for it. `class` adds a CSS class."""
    return _icon(str(name), render(label) if label else "", attrs.get("class", ""))


@lru_cache(maxsize=4096, typed=True)  # `typed`: a safe string and an equal unsafe one must not share a cache entry
def _icon(name: str, label: str, added: str) -> SafeString:
    classes = f"icon {added}".strip()
    meaning = format_html('role="img" aria-label="{}"', label) if label else mark_safe('aria-hidden="true"')
    href = f"{static('icons.svg')}#{symbol_of(name)}"
    return format_html('<svg class="{}" {}><use href="{}"/></svg>', classes, meaning, href)


@register.simple_tag
def pips(steps: tuple[int, int]) -> SafeString:
    """Return a track of steps: `steps` is (position, number). Decoration beside its name."""
    return _pips(*steps)


@lru_cache(maxsize=256)
def _pips(at: int, total: int) -> SafeString:
    dots = format_html_join(
        "",
        '<circle cx="{}" cy="6" r="{}"{}/>',
        (
            (5 + 8 * step, 4 if step == at else 2.6, mark_safe(' class="on"' if step == at else ""))
            for step in range(total)
        ),
    )
    return format_html('<svg class="pips" viewBox="0 0 {} 12" aria-hidden="true">{}</svg>', 8 * total + 2, dots)


@register.simple_tag
def icon_authors() -> list[dict[str, Any]]:
    """Return the authors of the icons in use: [{author, slug, icons}], most icons first."""
    by_author: dict[str, list[str]] = {}
    for name, slug in manifest()["icons"].items():
        by_author.setdefault(slug, []).append(name)
    authors = manifest()["authors"]
    rows = [{"author": authors[slug], "slug": slug, "icons": names} for slug, names in by_author.items()]
    return sorted(rows, key=lambda row: len(row["icons"]), reverse=True)


# Sums and figures


def lines_of(breakdown: object) -> list[tuple[str, object, str]]:
    """Return (label, value, rule) of each line of a breakdown, or of a list of lines (objects or mappings)."""
    lines = getattr(breakdown, "lines", breakdown) or ()
    return [
        (render(_part(line, "label")), _part(line, "value"), _part(line, "rule") or "") for line in _iterable(lines)
    ]


def _iterable(lines: object) -> Iterable[object]:
    return lines if isinstance(lines, Iterable) and not isinstance(lines, str | Mapping) else ()


def _part(line: object, name: str) -> Any:
    return line.get(name) if isinstance(line, Mapping) else getattr(line, name, None)


@register.simple_tag
def sum_lines(breakdown: object, ruleset: str = "") -> SafeString:
    """Return the lines of a breakdown as a table, each with its rule."""
    return _sum(lines_of(breakdown), ruleset)


def _sum(lines: list[tuple[str, object, str]], ruleset: str) -> SafeString:
    told = ((f"{conditional_escape(label)}{rule_id(rule, ruleset)}", value) for label, value, rule in lines)
    rows = "".join(f"<tr><td>{label}</td><td>{conditional_escape(signed(value))}</td></tr>" for label, value in told)
    return mark_safe(f'<table class="sum"><tbody>{rows}</tbody></table>')


@register.simple_tag
def rule_id(rule: object, ruleset: str = "") -> SafeString:
    """Return links to one or several rule ids. `ruleset`: whose rules they are, since rulesets share ids."""
    return _rule_links(str(rule or ""), ruleset)


@lru_cache(maxsize=4096)
def _rule_links(rules: str, ruleset: str) -> SafeString:
    """Return the links. An id with a slash (an imported document may hold any text) gets none."""
    linked = ((get_rule_url(rule, ruleset) if "/" not in rule else "", rule) for rule in rules.split())
    link, plain = ' <a class="rule" data-entry href="{}">{}</a>', ' <span class="rule">{1}</span>'
    return format_html_join("", "{}", ((format_html(link if url else plain, url, rule),) for url, rule in linked))


@register.simple_tag
def entry(ruleset: str, chip: Any) -> SafeString:
    """Return the attributes of a chip's link to its entry; nothing without an entry or a ruleset."""
    return _entry(ruleset, *chip.entry) if chip.entry and ruleset else SafeString()


@lru_cache(maxsize=4096)
def _entry(ruleset: str, kind: str, slug: str) -> SafeString:
    leads = get_rule_url(slug, ruleset) if kind == "rules" else reverse("kingdom:rule_item", args=[ruleset, kind, slug])
    return format_html('data-entry href="{}"', leads)


@register.simple_tag
def figure(
    value: object,
    label: object,
    breakdown: object = None,
    signed: bool = False,
    open: bool = False,
    hint: object = "",
    id: str = "",
    ruleset: str = "",
    term: object = "",
) -> SafeString:
    """Return a number of a `.figures` grid that opens its breakdown and the explanation of its `term`."""
    sum = _sum(lines, ruleset) if (lines := lines_of(breakdown)) else ""
    return _figure(number(value, plain=not signed), render(label), render(hint), id, open, sum, render(term))


@lru_cache(maxsize=4096, typed=True)  # `typed`: a safe string and an equal unsafe one must not share a cache entry
def _figure(shown: str, label: str, hint: str, id: str, open: bool, sum: str, term: str) -> SafeString:
    told = {"shown": shown, "label": label, "hint": hint, "id": id, "open": open, "sum": sum, "term": term}
    return render_piece("components/figure.html", **told)


@register.simple_tag
def row_figure(figure: Any, whose: str, plain: bool = False, ruleset: str = "") -> SafeString:
    """Return a number in a row that opens its breakdown in a popover. `plain`: the number alone."""
    shown = number(figure.value, plain=not figure.signed)
    if plain:
        return format_html("<b>{}</b>", shown)
    return format_html(
        '<button type="button" popovertarget="{0}"><span class="visually-hidden">{1} </span>{2}</button>'
        '<div class="sum-pop" popover id="{0}"><p class="sum-title"><span>{3}, {4}</span><span>{2}</span></p>{5}</div>',
        figure.id, render(figure.label), shown, render(figure.title), whose, sum_lines(figure.breakdown, ruleset),
    )  # fmt: skip


# Health and dice


@register.simple_tag
def health_bar(
    now: int,
    maximum: int,
    lost: int = 0,
    brink: int | None = None,
    small: bool = False,
    row: bool = False,
    *,
    name: Said,
    words: Said | None = None,
) -> SafeString:
    """Return an army's health as a bar: what is left, the latest loss, and the threshold of danger (`brink`).

    `small`: in a list, without the threshold; `row`: as wide as its row; `name`: the ruleset's word for health;
    `words`: show only these words.
    """
    template = _("{name}: {now} of {max}")
    label = render(words) if words else template.format(now=minus(now), max=minus(maximum), name=render(name))
    had = min(now + lost, maximum) if lost else 0
    return format_html(
        '<svg class="{}" viewBox="0 0 {} 10" preserveAspectRatio="none" role="img" aria-label="{}">{}{}'
        '<path class="hatch" d="M0 5h{}"/>{}</svg>',
        "bar" if small or row else "health-bar", max(maximum, 1) * 10, label,
        _stretch("lost", had),
        _stretch("now", max(now, 0)), max(now, 0) * 10,
        _brink(brink) if brink and not small else "",
    )  # fmt: skip


def _stretch(kind: str, points: int) -> SafeString:
    return format_html('<rect class="{}" width="{}" height="10"/>', kind, points * 10) if points else SafeString()


def _brink(points: int) -> SafeString:
    return format_html('<line class="brink" x1="{0}" x2="{0}" y1="0" y2="10"/>', points * 10)


@register.simple_tag
def health_line(now: int, maximum: int, *, name: Said, **more: Any) -> SafeString:
    """Return the health bar with its numbers in words; `more` as the piece takes it."""
    return render_piece("components/health_line.html", now=now, maximum=maximum, name=name, **more)


@register.simple_tag
def die(face: Any, source: str = "rolled", by: object = "") -> SafeString:
    """Return the face of a die, or its drawn side. A typed die is dashed and says who typed it."""
    if face is None:
        return format_html('<span class="die asked">{}</span>', "?")
    origin = str(DIE_SOURCES.get(source, "")).format(who=by or _("the GM"))
    spoken = format_html('<span class="visually-hidden"> ({})</span>', origin) if source == "typed" else ""
    return drawn_die(face, source, origin, spoken)


# Charts: always beside a table or text with the same figures


@register.inclusion_tag("components/spark.html")
def spark(points: Iterable[float], label: object = "") -> dict[str, object]:
    """Return a line chart of numbers (a treasury over time) above and below its zero line."""
    values = [float(point) for point in points]
    low, high = min([*values, 0]), max([*values, 1])
    heights = [round(72 - 68 * (value - low) / (high - low), 1) for value in [*values, 0]]
    zero = heights.pop()
    step = 300 / max(len(values) - 1, 1)
    line = " ".join(f"{round(index * step, 1)},{height}" for index, height in enumerate(heights))
    return {"line": line, "zero": zero, "last": round((len(values) - 1) * step, 1), "label": label}


@register.inclusion_tag("components/bars.html")
def bars(
    pairs: Iterable[tuple[int, float]], label: object = "", side: str = "one", brink: int | None = None
) -> dict[str, object]:
    """Return a bar chart of (health left, probability); bars at or below `brink` are paler."""
    pairs = list(pairs)
    first, last = (pairs[0][0], pairs[-1][0]) if pairs else (0, 0)
    slot = 300 / max(last - first + 1, 1)
    top = max((chance for _left, chance in pairs), default=0) or 1
    drawn = [
        _bar(
            round((left - first) * slot, 2),
            round(slot * 0.8, 2),
            round(60 * chance / top, 1),
            under=brink is not None and left <= brink,
        )
        for left, chance in pairs
    ]
    return {"drawn": drawn, "label": label, "side": side, "first": first, "last": last}


def _bar(x: float, width: float, height: float, *, under: bool) -> dict[str, object]:
    """Return a bar of a chart 64 units high."""
    shape: dict[str, object] = {"x": x, "y": round(64 - height, 1), "width": width, "height": height}
    return shape | {"under": under}


# Forms and the page


@register.simple_tag(takes_context=True)
def nav_links(context: Context, campaign: Campaign) -> SafeString:
    """Return links to the campaign's pages in other apps, for its ruleset."""
    return format_html_join(
        "", "{}", ((link,) for link in kingdom_slots.render_place(context["request"], "nav", campaign))
    )


@register.simple_tag
def described_by(field: BoundField, hint: object = "") -> str:
    """Return the ids of the elements that describe a field: its help and its error."""
    parts = {"helptext": field.help_text or hint, "error": field.errors}
    return " ".join(f"{field.auto_id}_{part}" for part, there in parts.items() if there)


@register.simple_tag
def control(field: BoundField, hint: object = "") -> SafeString:
    """Return the field's widget, linked to its help and error. A placeholder equal to the label is removed."""
    hints = field.field.widget.attrs
    if str(hints.get("placeholder", "")) == str(field.label):
        hints.pop("placeholder", None)
    described = described_by(field, hint)
    seen = field.as_hidden(only_initial=True) if field.field.show_hidden_initial else ""
    return format_html("{}{}", field.as_widget(attrs={"aria-describedby": described} if described else None), seen)
