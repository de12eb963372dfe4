"""UI base class of battles on hexes: everything a law played on a board inherits, and the few things it must define."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, QueryDict
from rest_framework.serializers import Serializer

from armies.marches.queries import Encounter
from battles.declared_commands import PlainOpeningRequest
from battles.default.ui import DefaultBattleUI, PlainOpening, PlainSetup
from battles.field.field_ui import FieldAsked
from battles.field.forms import CommandForm, dice_words
from battles.field.gm_forms import UndoForm
from battles.field.look import Look, selection_of
from battles.field.page import BattlePage
from battles.field.table import BRUSH
from battles.hexes.api import INPUTS, READERS, HexBattleMembers, asks_map, choices_of, lying_on, units_of, with_map
from battles.hexes.forms import CHOSEN, ChosenForm, MapForm, StrokeForm
from battles.hexes.ground_layer import Land
from battles.hexes.maps import MapLibrary, ground_of, map_from_json
from battles.hexes.opening_forms import HexOpening, OpeningMap
from battles.hexes.page import BoardView
from battles.hexes.picks import Layer, ids_of
from battles.hexes.world import LeadersOnBoard
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.battle_state import get_law
from battles.result.page import BattleResult, LeaderFate
from battles.ruleset_ui import ArmyCard, Reader, get_battle_ui
from battles.setup.queries import list_battle_laws
from core.api.serializers import Input
from kingdom.models import Campaign
from rules import registry
from rules.core.text import Said, Term, _, by_number, say
from rules.hexbattle.board import Board, BoardLegal, Confirm, Picks, picks_of
from rules.hexbattle.field import Field, Token, by_name, commands
from rules.hexbattle.law import HexBattles
from rules.hexbattle.setup import ChangeMap, SetReady, Start
from rules.hexes.generate import generate
from rules.hexes.mapfile import HexMap, document
from rules.hexes.terrain import MapChoices
from rules.law import SETUP, Selection, Viewer

# Setup on a board: what the confirming button does while sides place their units.

READY_ONCE = by_number("Ready after {count} more placement", "Ready after {count} more placements")
BEGIN_ONCE = by_number("Begin after {count} more placement", "Begin after {count} more placements")


def confirm_of(field: Field, viewer: Viewer, legal: BoardLegal, *, begins: bool = True) -> Confirm | None:
    """The button of setup: a player declares their side ready or undoes that; the GM begins the battle.

    `begins`: whether this button begins it, not another one.
    """
    if field.started or field.ended is not None:
        return None
    if "start" in legal.commands:
        return _begins(field) if begins else None
    sides = sorted({side for army, side in field.armies.items() if viewer.commands(army)})
    if not sides or "ready" not in legal.commands:
        return None
    side = next((one for one in sides if one not in field.ready), sides[0])
    if side in field.ready:
        return Confirm(SetReady(side, on=False), _("Your side is ready"), _("Place units again"))
    units = list(field.of_side(side))
    waiting = _waiting(units)
    why_not = say(READY_ONCE, count=waiting) if waiting else None
    return Confirm(SetReady(side), _placed(units), _("Ready"), why_not=why_not)


def next_to_place(field: object, viewer: Viewer) -> str:
    """The unit picked automatically: the viewer's first without a place; "" if there is none."""
    if not isinstance(field, Field) or field.started or field.ended is not None:
        return ""
    own = by_name(unit for unit in field.tokens.values() if unit.waiting and commands(viewer, unit))
    return next((unit.id for unit in own if unit.side not in field.ready), "")


def _begins(field: Field) -> Confirm:
    units = [unit for side in (0, 1) for unit in field.of_side(side)]
    waiting = _waiting(units)
    why_not = say(BEGIN_ONCE, count=waiting) if waiting else None
    return Confirm(Start(), _placed(units), _("Begin the battle"), why_not=why_not)


def _waiting(units: list[Token]) -> int:
    return sum(unit.waiting for unit in units)


def _placed(units: list[Token]) -> Said:
    standing = sum(unit.standing for unit in units)
    return say(_("{placed} of {total} units placed"), placed=standing, total=standing + _waiting(units))


PAINTING: Mapping[str, type[StrokeForm | MapForm]] = {StrokeForm.kind: StrokeForm, MapForm.kind: MapForm}


CHANGE_MAP = "change_map"


def _without[Told](known: Mapping[str, Told]) -> dict[str, Told]:
    return {kind: told for kind, told in known.items() if kind != CHANGE_MAP}


class HexBattleUI(DefaultBattleUI):
    """A law defines `board` and `land`; its `legal` returns `BoardLegal`. Everything else may be overridden.

    A selection is unit, hex and target by ids and labels ("" if not picked), then slugs of acts
    (`rules.hexbattle.board.picks_of`). The confirming button does `BoardLegal.confirm`.
    """

    field_template = "battles/hexes/field.html"
    table_template = "battles/hexes/table.html"
    foot_template = "battles/hexes/foot.html"
    tools_template = "battles/hexes/tools.html"
    choice_template = "battles/hexes/choice.html"
    paper_template = "battles/hexes/paper.html"
    battle_members = HexBattleMembers
    usual_map = "meadows"
    """The built-in map of a battle for which no other is chosen."""
    by_turns = True
    kept: Collection[str] = ("zoom", "layers", "list", "find", "tables", *StrokeForm.in_hand)
    scripts: Sequence[str] = ("js/board.js",)
    verdict_template = ""
    focus = "board-frame"
    by_players: Collection[str] = (CHOSEN, StrokeForm.kind, MapForm.kind, "answer")
    keys: Sequence[tuple[str, Term]] = (
        ("np", _("next or previous unit that can act")),
        ("t", _("next target")),
    )
    layers: Sequence[Layer] = ()
    """Layers of the law: slugs of its rings, with their names."""
    gone_words: Mapping[str, Term] = {}
    """Texts for characters who left the battle, by the law's slug, in addition to those of every board."""
    throws_every_fate = False
    """Whether the aftermath rolls for the fate of every character who fell, not only commanders."""
    unit_template = ""
    """Template of the law's part of a unit's card; gets `page`, `view` and `unit`, its counter."""
    confirm_template = ""
    """Template of the law's further fields beside the confirming button; gets `page` and `view`."""
    tray_template = ""
    """Template of a setup tray's extra text; gets `page` and `group`."""
    tray_head_template = ""
    """Template beside the title of a setup tray; gets `page` and `group`."""
    sides_template = ""
    """Template above the trays that compares the sides; gets `page` and `view`."""
    beside_template = ""
    """Template of further buttons beside the confirming one; gets `page` and `view`."""
    key: Sequence[tuple[str, Term]] = ()
    """Badges explained in the key below the board: sign and meaning."""

    @abstractmethod
    def board(self, state: Any, viewer: Viewer) -> Board:
        """The board of a state, which is limited to what this viewer may know."""

    def land(self, state: Any) -> tuple[HexMap, str]:
        """The map and its version; different maps have different versions."""
        ground = state.field.ground
        return ground.land, ground.version

    def confirm(self, state: Any, viewer: Viewer, legal: BoardLegal) -> Confirm | None:
        """The confirming button: the law's, and in setup also *ready* and *begin*."""
        field = getattr(state, "field", None)
        if legal.confirm or not isinstance(field, Field):
            return legal.confirm
        return confirm_of(field, viewer, legal, begins="start" not in self.onward)

    def paints(self, told: Mapping[str, object], reason: str = "") -> Any:
        """The law's command for a change of the map, given in document form."""
        return ChangeMap(told, reason)

    def made(self, choices: MapChoices) -> HexMap:
        """The map generated from these options (HX-8)."""
        return generate(choices, zone_rows=self.law.zone_rows, margin=self.law.zone_margin)

    @property
    def law(self) -> HexBattles | type[HexBattles]:
        """The battle law of this family, for the depth of zones and the size of maps; the same in every campaign."""
        found = (law.battle for law in registry.RULESETS.values() if law.family == self.family)
        return next((battle for battle in found if isinstance(battle, HexBattles)), HexBattles)

    # Asked for by the general battle page

    def setup_at(self, meeting: Encounter) -> Mapping[str, str | Sequence[str]]:
        """The setup of a battle where armies met, with the ground there as its map."""
        return {
            **super().setup_at(meeting),
            "map": json.dumps(document(ground_of(meeting, self.law)), ensure_ascii=False),
        }

    @property
    def asks_map(self) -> bool:
        """Whether an opening has a map of its own; then `opening` receives its document as `map`."""
        return asks_map(self.family)

    @property
    def setup_template(self) -> str:  # type: ignore[override]
        return "battles/hexes/opening.html" if self.asks_map else super().setup_template

    @property
    def opening_members(self) -> type[Serializer]:
        known = super().opening_members
        return with_map(known, self.family) if self.asks_map else known

    def read_opening(self, data: Mapping[str, Any]) -> PlainOpeningRequest:
        if not self.asks_map:
            return super().read_opening(data)
        asked = super().read_opening({name: value for name, value in data.items() if name != "map"})
        chosen = map_from_json(data.get("map"), self.usual_map, self.made, rows=self.law.generated_rows)
        return replace(asked, options={**asked.options, "map": chosen})

    def setup_form(self, page: PlainSetup, data: QueryDict | None) -> PlainOpening | HexOpening:  # type: ignore[override]
        form = super().setup_form(page, data)
        if not self.asks_map:
            return form
        library = MapLibrary(page.campaign)
        chosen = OpeningMap(self.usual_map, self.made, data, library, rows=self.law.generated_rows, bound=form.is_bound)
        if not form.is_bound:
            chosen.keep_file()
        return HexOpening(form, chosen)

    @property
    def readers(self) -> Mapping[str, Reader]:
        """The readers of commands; map changes are sent under the painter's own names."""
        known = super().readers
        return {**_without(known), **READERS} if CHANGE_MAP in known else known

    @property
    def command_members(self) -> Mapping[str, type[Input]]:
        known = super().command_members
        return {**_without(known), **INPUTS} if CHANGE_MAP in known else known

    def selection(self, state: Any, viewer: Viewer, look: Look) -> Selection:
        """The selection from the address, in which units are named by the ends of their ids."""
        picks = picks_of(look.selection) if (look.unit or look.to or look.target) else Picks(more=look.picked)
        if not any(picks):
            waiting = next_to_place(getattr(state, "field", None), viewer)
            return (waiting,) if waiting else ()
        ids = ids_of(self.board(state, viewer))
        picks = picks._replace(unit=ids.get(picks.unit, picks.unit), target=ids.get(picks.target, picks.target))
        return selection_of((picks.unit, picks.to.upper(), picks.target), picks.more)

    def field(self, asked: FieldAsked) -> BoardView:
        legal = asked.legal
        if isinstance(legal, BoardLegal):
            legal = legal._replace(confirm=self.confirm(asked.state, asked.viewer, legal))
            asked = asked._replace(legal=legal)
        board = self.board(asked.state, asked.viewer)
        land, version = self.land(asked.state)
        ids = ids_of(board)
        short = {unit: end for end, unit in ids.items()}
        look = replace(asked.look, unit=ids.get(asked.look.unit, asked.look.unit))
        ground, doubts = Land(version, land), self.doubts(asked)
        return BoardView(asked._replace(look=look), board, ground, short, self.layers, StrokeForm.in_hand, doubts)

    def leaders(self, result: BattleResult) -> Sequence[LeaderFate]:
        """The fates of leaders, including all characters who are gone."""
        return LeadersOnBoard(result, self.gone_words, throws_every_fate=self.throws_every_fate).listed()

    def why_not(self, page: BattlePage, picks: Picks | None = None) -> Said | None:
        """Why the picks can't be done, in the law's words, if some of them aren't valid; None otherwise."""
        battle = get_law(page.battle).battle
        look = Look(unit=picks.unit, to=picks.to, target=picks.target, picked=picks.more) if picks else page.look
        selection = self.selection(page.state, page.viewer, look)
        legal: Any = page.legal
        done = picks is None and legal.confirm and set(filter(None, selection)) <= set(legal.picked)
        if done or not isinstance(battle, HexBattles):
            return None
        return battle.why_not(page.state, page.viewer, selection)

    def doubts(self, asked: FieldAsked) -> Sequence[Said]:
        """Warnings about the map, for the GM during setup (HX-7.3)."""
        law = get_law(asked.battle).battle
        setting_up = asked.legal is not None and asked.viewer.gm and asked.summary.status == SETUP
        return law.doubts(asked.state) if setting_up and isinstance(law, HexBattles) else ()

    def shape(self, state: Any, summary: Any, figures: Any, viewer: Viewer, legal: Any) -> dict[str, Any]:
        """The API members of a battle: the map as a file, the units, and what can be chosen."""
        told = super().shape(state, summary, figures, viewer, legal)
        land, board = self.land(state)[0], self.board(state, viewer)
        return {**told, "map": document(land), "units": units_of(board), **lying_on(board), **choices_of(legal)}

    def looks_on(self, look: Look, kind: str) -> Look:
        """The look after a command: nothing is picked. The brush is kept, even after undoing a stroke."""
        held = any(name in look.kept for name in StrokeForm.in_hand)
        if kind in PAINTING or (kind == UndoForm.kind and held):
            return replace(look.unpicked, doing=BRUSH)
        kept = {name: value for name, value in look.kept.items() if name not in StrokeForm.in_hand}
        return replace(look.unpicked, kept=kept)

    def command_form(self, page: BattlePage, kind: str, data: QueryDict) -> CommandForm | None:
        if kind == CHOSEN:
            return ChosenForm(page, data, dice_words(page.battle))
        if kind in PAINTING:
            if not self.paints_now(page):
                raise PermissionDenied
            return PAINTING[kind](page, data)
        return super().command_form(page, kind, data)

    def paints_now(self, page: BattlePage) -> bool:
        """Whether the reader may paint, as the law says."""
        return "paint" in page.legal.commands

    def order_form(self, page: BattlePage, card: ArmyCard, data: QueryDict | None = None) -> CommandForm:
        """Not used: on a board, units get orders instead of armies. Raises `PermissionDenied`."""
        raise PermissionDenied

    def brush(self, page: BattlePage) -> StrokeForm:
        return StrokeForm(page)

    def map_form(self, page: BattlePage) -> MapForm:
        return MapForm(page)

    def confirmed(self, page: BattlePage, picks: Picks) -> Any:
        """The complete command of these picks; None if it isn't complete or some picks aren't valid."""
        look = Look(unit=picks.unit, to=picks.to, target=picks.target, picked=picks.more)
        selection = self.selection(page.state, page.viewer, look)
        legal = page.legal
        if selection != self.selection(page.state, page.viewer, page.look):
            legal = get_law(page.battle).battle.legal(page.state, page.viewer, selection)
        assert isinstance(legal, BoardLegal)
        if not set(filter(None, selection)) <= set(legal.picked):
            return None
        confirm = self.confirm(page.state, page.viewer, legal)
        return None if confirm is None or confirm.why_not else confirm.command


# Maps of battles, and whether a campaign has battles on maps.


def fights_on_maps(campaign: Campaign) -> bool:
    """Whether the campaign's armies can fight by a ruleset with hex battles."""
    return any(isinstance(get_battle_ui(law), HexBattleUI) for law in list_battle_laws(campaign))


def map_of_battle(battle: Battle) -> HexMap:
    """The present map of a battle. Raises `Http404` for a battle without a map."""
    ui = get_battle_ui(play_battle_state.get_law(battle))
    if not isinstance(ui, HexBattleUI):
        raise Http404
    land, _version = ui.land(play_battle_state.load_state(battle))
    return land
