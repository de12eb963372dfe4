"""Order for many armies to march over the map to one hex, under any ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armies.bulk.many_deeds import TEXT, DeedAsk, ManyDeed
from armies.marches.march_plan import build_traveller, load_overland
from armies.marches.services import COLUMNS, set_out
from kingdom.access.queries import was_mapless
from kingdom.map.fog_services import update_visibility
from kingdom.map.services import get_hex
from kingdom.models import Campaign
from kingdom.onboarding.steps import point_refusals
from rules.core.errors import require
from rules.core.text import Said, _
from rules.hexes.geometry import label_of

LABEL_MOST = 8


class CrossMany(ManyDeed):
    """Each by its own cheapest way, at its own pace; hard marches are ordered army by army."""

    slug = "cross"
    name = _("March over the map")
    about = _("Each army takes its own shortest way, from the hex where it stands.")
    rule, kind = "HX-3.1", "march"
    asks = (DeedAsk("to", _("To the hex"), TEXT, _("As the map calls it, C7 for example."), required=True,
                    most=LABEL_MOST),)  # fmt: skip
    one = _("{army} set out for {place}.")
    many = _("{kingdom}: {count} armies set out for {place} ({armies}).")
    across = _("Armies set out for {place}.")

    @classmethod
    def offered(cls, campaign: Campaign) -> bool:
        """As far as is known without asking: `prepare` says so where there is none."""
        return not was_mapless(campaign)

    def prepare(self) -> None:
        """The land is looked at once for all of them; a hex it has not is wrong for each."""
        self.land = load_overland(self.setting.by, self.campaign)
        require(self.land, _("This campaign has no map yet: make one first."))
        assert self.land is not None
        field = self.land.field
        self.to = label_of(point_refusals(self.asks[0].at, lambda: get_hex(field, self.options["to"])))
        self.changed: set[str] = set(COLUMNS)

    def do(self, army: Any) -> Said:
        who = build_traveller(self.setting.by, army, self.land)
        text, columns = set_out(army, who.to(self.to), who.manner())
        self.changed.update(columns)
        return text

    def write(self, done: Sequence[Any]) -> None:
        type(done[0])._default_manager.bulk_update(done, sorted(self.changed))
        update_visibility(self.campaign)

    def words(self) -> dict[str, Any]:
        return {"place": self.to}
