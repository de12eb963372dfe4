"""Current battles of armies, as other apps tell them: armies do not know battles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple
from uuid import UUID

from armies.models import Army
from kingdom.access.redaction import in_words
from kingdom.models import Campaign
from rules.core.health import WHOLE, band_of
from rules.core.text import Said, _

IN_BATTLE = _("In battle:")


class Engaged(NamedTuple):
    """`health` of `health_max`: as it stands there; `share`: in hundredths. `word`: what became of it, None while it
    fights. `held`, `icon`: by what it is held.
    """

    name: str
    url: str
    health: int
    health_max: int
    word: Said | None
    share: bool = False
    words: Said | None = None
    held: Said = IN_BATTLE
    icon: str = "crossed-swords"

    def for_enemies(self, campaign: Campaign) -> Engaged:
        """As it is told to somebody who may not read its sheet: in words, where the campaign says so."""
        if not in_words(campaign.secrecy):
            return self
        band = band_of(self.health, self.health_max)
        return self._replace(health=band.shown, health_max=WHOLE, share=True, words=band.word)


type EngagementTeller = Callable[[Campaign], Mapping[UUID, Engaged]]

_tellers: list[EngagementTeller] = []


def register(teller: EngagementTeller, *, yields: bool = False) -> None:
    """Ask `teller(campaign)` which of its armies are held by something that is not over. Twice counts once.

    `yields`: what others tell of an army goes before, as they know better how it stands.
    """
    if teller not in _tellers:
        _tellers.insert(0 if yields else len(_tellers), teller)


def find_engaged(campaign: Campaign, *, but: EngagementTeller | None = None) -> dict[UUID, Engaged]:
    """Every army of the campaign that is held, and by what. `but`: who asks knows what they tell themselves."""
    return dict(held for teller in _tellers if teller is not but for held in teller(campaign).items())


def find_engagement(army: Army) -> Engaged | None:
    return find_engaged(army.campaign).get(army.pk)
