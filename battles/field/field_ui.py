"""Field of a battle as its law shows it: what it is drawn of and by what, and what of the look it keeps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rules.law import Legal, Selection, Summary, Viewer

if TYPE_CHECKING:
    from battles.field.look import Look
    from battles.models import Battle
    from battles.result.leaders import LeaderFate
    from battles.result.page import BattleResult


class FieldAsked(NamedTuple):
    """What a law draws its field of. `state` and `summary` are as the reader sees them; `legal` is None where nothing
    can be done: in a replay, behind a share link, on paper. `event`: down to which one the field is shown.
    """

    battle: Battle
    state: Any
    summary: Summary
    viewer: Viewer
    look: Look
    legal: Legal | None = None
    event: int | None = None


class FieldUI(Protocol):
    """The field of a battle, as its law shows it. The default: two sides of armies, face to face."""

    field_template: str = "battles/field/duel.html"
    """Draws the field wherever a battle is shown: a piece with `page` and `card`, the picked army or None. The page has
    `law_field`, what `field` made. The default is two sides of armies, face to face.
    """
    table_template: str = "battles/field/table.html"
    """What lies on the table of the battle page: the field, what is done to it, and the rail. It knows what
    `battles/field/field.html` knows.
    """
    foot_template: str = "battles/field/foot.html"
    """The foot of the battle page."""
    tools_template: str = ""
    """In the title line: how the field is shown; "" for nothing."""
    choice_template: str = ""
    """What a choice on the field sends anew, each part by itself (out of band); "" where the whole page is sent."""
    paper_template: str = ""
    """On the order of battle, what stands on the field besides armies: a piece with `page`, which has `law_field`."""
    kept: Collection[str] = ()
    """What the address keeps of how somebody looks at the field, by name: its size, its layers."""
    verdict_template: str = "battles/field/verdict.html"
    """What was decided last, above the field; "" where the field's own templates tell it, at the id "verdict"."""
    fates_open: Collection[str] = ()
    """What became of armies for whose commanders the aftermath throws, by the law's slugs."""
    focus: str = ""
    """The id of what has the focus after a command; "" where it goes on to the next order."""
    scripts: Sequence[str] = ()
    """Scripts of its own that the pages with a field load, below `static/`."""

    def selection(self, state: Any, viewer: Viewer, look: Look) -> Selection:
        """What was picked, as the law is asked about it (`legal`). `state` is the one the viewer sees."""
        return look.selection

    def field(self, asked: FieldAsked) -> Any:
        """What the field is drawn of, for `field_template`; None where rows of armies are all there is."""
        return None

    def leaders(self, result: BattleResult) -> Sequence[LeaderFate] | None:
        """Who led in a battle that is over, and what became of them; None: the commanders of its armies."""
        return None

    def looks_on(self, look: Look, kind: str) -> Look:
        """How the page is looked at after a command of this kind was carried out: what is picked next, if anything."""
        return look.unpicked
