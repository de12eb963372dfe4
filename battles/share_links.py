"""Share links of battles and of the campaign's story. A battle is shared live, as a replay or as a report. All use the
pages of members, for a reader who commands no army (`kingdom.sharing.share_kinds`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from battles.field.field_ui import FieldAsked
from battles.field.look import Look
from battles.field.page import BattlePage, build_battle_page
from battles.field.page_parts import SideView
from battles.field.table import find_arms, make_side_key
from battles.field.verdict import Strip
from battles.log.battle_report import ReportPage, report_seen
from battles.log.phases import LogPhase
from battles.log.replay_page import ReplayPage, replay_seen
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.queries import get_viewer
from battles.ruleset_ui import BattleUI
from battles.story.page import cut_story, outline_story, write_chapters
from core.clean_input import parse_whole
from core.text import render
from kingdom.access.queries import is_gm
from kingdom.models import Campaign, User
from kingdom.models.heraldry import Arms
from kingdom.sharing.share_kinds import Drawn, LinkPreview, Shared, ShareKind
from rules.core.errors import IllegalCommand
from rules.core.text import Said, _
from rules.core.viewers import WHOLE
from rules.law import Stage, Summary

# Share links of battles: live, as a replay, and as a report.
#
# All three use the pages of members, for a reader who commands no army (`kingdom.sharing.share_kinds`).

LATEST = 50  # Most battles offered for a link.
LIVE, REPLAY, REPORT = "live", "replay", "report"
NO_ENTRIES = ""  # A share link shows no codex entries: only members read the rules.


class BattleOfLink(NamedTuple):
    """A battle for the templates of the field. `ruleset` is empty: nothing links to its codex."""

    name: str
    day: int
    version: int
    ruleset: str = NO_ENTRIES


@dataclass(frozen=True, slots=True)
class FieldOfLink:
    """The field without anything to press."""

    battle: BattleOfLink
    ui: BattleUI
    sides: tuple[SideView, ...]
    arms: Mapping[str, Arms]
    conditions: Sequence[Any]
    slim: bool
    crowded: bool
    law_field: Any = None
    stages: Sequence[tuple[Stage, str, str]] = ()
    strip: Strip | None = None
    log: Sequence[LogPhase] = ()
    outcome: Said | None = None
    reason: Said | str = ""
    title: str = ""
    picking: str = ""


def live_field(page: BattlePage) -> FieldOfLink:
    return _field(
        page,
        law_field=page.ui.field(FieldAsked(page.battle, page.state, page.summary, page.viewer, Look())),
        stages=page.stages,
        strip=page.strip,
        log=page.log,
        outcome=page.outcome,
        reason=page.reason,
        title=page.title,
    )


def draw_still_field(page: ReplayPage) -> FieldOfLink:
    return _field(page, law_field=page.law_field)


def _field(page: BattlePage | ReplayPage, **more: Any) -> FieldOfLink:
    battle = page.battle
    return FieldOfLink(
        battle=BattleOfLink(battle.name, battle.day, battle.version),
        ui=page.ui,
        sides=page.sides,
        arms=page.arms,
        conditions=page.conditions,
        slim=page.slim,
        crowded=page.crowded,
        **more,
    )


def find(campaign: Campaign, pk: UUID) -> Battle:
    found = get_object_or_404(Battle, campaign=campaign, pk=pk)
    found.campaign = campaign
    return found


def names(campaign: Campaign, ids: Collection[UUID]) -> dict[UUID, str]:
    return dict(Battle.objects.filter(campaign=campaign, pk__in=ids).values_list("pk", "name"))


def things(user: User, campaign: Campaign) -> list[tuple[UUID, str]]:
    """Ids and names of the latest battles, for the GM."""
    if not is_gm(user, campaign):
        return []
    return list(Battle.objects.filter(campaign=campaign).order_by("-id").values_list("pk", "name")[:LATEST])


def draw_live(request: HttpRequest, shared: Shared) -> Drawn:
    battle: Battle = shared.thing
    page = live_field(build_battle_page(shared.onlooker, battle, play_battle_state.load_state(battle)))
    return Drawn("shared/live.html", {"page": page}, piece="battles/sharing/live.html")


def draw_replay(request: HttpRequest, shared: Shared) -> Drawn:
    step = parse_whole(request.GET.get("step")) or 0
    page = replay_seen(shared.onlooker, shared.thing, step)
    return Drawn("shared/replay.html", {"page": page, "field": draw_still_field(page)})


def draw_report(request: HttpRequest, shared: Shared) -> Drawn:
    page: ReportPage | None
    try:
        page = report_seen(shared.onlooker, shared.thing)
    except IllegalCommand:
        page = None
    return Drawn("shared/report.html", {"page": page, "battle": shared.thing})


def preview(shared: Shared) -> LinkPreview:
    """Link preview of the shared battle: who fights, and how it stands or ended."""
    return preview_battle(shared.onlooker, shared.thing)


def preview_battle(onlooker: User, battle: Battle) -> LinkPreview:
    """Link preview of a battle, as the onlooker may see it."""
    now = play_battle_state.load_state(battle)
    summary = play_battle_state.view_state(battle, now, get_viewer(onlooker, battle, now)).summary
    stands = summary.outcome.text if summary.outcome else summary.stage.label
    text = f"{battle.campaign.name} · {render(stands)}"
    left = tuple(_left(summary, side.armies) for side in summary.sides)
    return LinkPreview(battle.name, text, _bearers(battle, summary), left)


def _left(summary: Summary, armies: Sequence[str]) -> int | None:
    """Percentage of a side's health that is left. None where the reader gets health in words, army by army."""
    own = [summary.armies[army] for army in armies]
    whole = sum(army.health_max for army in own)
    if not whole or (len(own) > 1 and any(army.words for army in own)):
        return None
    return WHOLE * sum(army.health for army in own) // whole


def _bearers(battle: Battle, summary: Summary) -> tuple[tuple[str, Arms | None], ...]:
    """Name and arms of each side: the arms of its only kingdom, else of its first army that has arms."""
    borne = find_arms(battle, summary)

    def arms(index: int, armies: Sequence[str]) -> Arms | None:
        found = (borne.get(key) for key in (make_side_key(index), *armies))
        return next((one for one in found if one), None)

    return tuple((side.name, arms(index, side.armies)) for index, side in enumerate(summary.sides))


KINDS = {
    LIVE: ShareKind(
        _("Live battle"), _("The field at this moment, updated as the battle goes on."),
        find, things, names, draw_live, preview, "battle",
    ),
    REPLAY: ShareKind(
        _("Replay of a battle"), _("The battle step by step, up to the last decision."),
        find, things, names, draw_replay, preview,
    ),
    REPORT: ShareKind(
        _("Report of a battle"), _("What happened and what it cost, once the battle is over."),
        find, things, names, draw_report, preview,
    ),
}  # fmt: skip


# Share link of the campaign's story, as an onlooker without a kingdom knows it.

STORY = "story"


def find_story(campaign: Campaign, pk: UUID) -> Campaign:
    if pk != campaign.pk:
        raise Http404
    return campaign


def list_stories(user: User, campaign: Campaign) -> list[tuple[UUID, str]]:
    """Id and name of this campaign's story, for the GM."""
    return [(campaign.pk, campaign.name)] if is_gm(user, campaign) else []


def name_stories(campaign: Campaign, ids: Collection[UUID]) -> dict[UUID, str]:
    return {campaign.pk: campaign.name} if campaign.pk in ids else {}


def draw_story(request: HttpRequest, shared: Shared) -> Drawn:
    outline, more = cut_story(outline_story(shared.campaign))
    chapters = write_chapters(shared.onlooker, shared.campaign, outline)
    return Drawn("shared/story.html", {"chapters": chapters, "more": more})


def preview_story(shared: Shared) -> LinkPreview:
    return LinkPreview(shared.campaign.name, f"{render(STORY_TITLE)} · {render(shared.campaign.date.text)}")


STORY_TITLE = _("Story of the war")
KIND = ShareKind(
    STORY_TITLE,
    _("Every battle in prose, season by season, without any secrets."),
    find_story,
    list_stories,
    name_stories,
    draw_story,
    preview_story,
)
