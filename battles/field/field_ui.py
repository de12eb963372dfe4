"""UI protocol of a battle's field: the templates and context with which a ruleset draws it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rules.law import Legal, Selection, Summary, Viewer

if TYPE_CHECKING:
    from battles.field.look import Look
    from battles.models import Battle
    from battles.result.page import BattleResult, LeaderFate


class FieldAsked(NamedTuple):
    """Arguments for drawing a field.

    `state` and `summary`: as the reader sees them. `legal`: None where nothing can be done (replay, share link, paper).
    `event`: the last event that the field shows, None for all.
    """

    battle: Battle
    state: Any
    summary: Summary
    viewer: Viewer
    look: Look
    legal: Legal | None = None
    event: int | None = None


class FieldUI(Protocol):
    """The field of a battle, as its ruleset draws it. By default two sides of armies, face to face."""

    field_template: str = "battles/field/duel.html"
    """Template of the field wherever a battle is shown. Context: `page`, and `card`, the selected army or None.
    `page.law_field` is what `field` returned.
    """
    table_template: str = "battles/field/table.html"
    """Template of the middle of the battle page: the field, its controls and the rail. Context as in
    `battles/field/field.html`.
    """
    foot_template: str = "battles/field/foot.html"
    """Template of the battle page's foot."""
    tools_template: str = ""
    """Template of the view controls in the title line; "" for none."""
    choice_template: str = ""
    """Template of the parts that a choice on the field replaces (htmx out-of-band swaps); "" where the whole page is
    sent.
    """
    paper_template: str = ""
    """Template of what stands on the field besides armies, on the printed order of battle. Context: `page` with its
    `law_field`.
    """
    kept: Collection[str] = ()
    """Query parameters that keep how somebody looks at the field: its zoom, its layers."""
    verdict_template: str = "battles/field/verdict.html"
    """Template of the last decision, above the field; "" where the field's own templates draw it at the id
    "verdict".
    """
    fates_open: Collection[str] = ()
    """Slugs of the fates of armies for whose commanders the aftermath still rolls."""
    focus: str = ""
    """Id of the element that gets the focus after a command; "" where the focus goes to the next order."""
    scripts: Sequence[str] = ()
    """Further scripts of pages with a field: paths below `static/`."""

    def selection(self, state: Any, viewer: Viewer, look: Look) -> Selection:
        """The selection about which the ruleset's `legal` is asked. `state`: as the viewer sees it."""
        return look.selection

    def field(self, asked: FieldAsked) -> Any:
        """Context of `field_template`, on the page as `law_field`; None where the armies' rows are the whole field."""
        return None

    def leaders(self, result: BattleResult) -> Sequence[LeaderFate] | None:
        """Leaders of a finished battle and their fates. None stands for the commanders of its armies."""
        return None

    def looks_on(self, look: Look, kind: str) -> Look:
        """View options of the page after a command of this kind was carried out, with the next selection, if any."""
        return look.unpicked
