"""Services for reminding players of a battle that waits for them."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from battles.models import ENGINE, Battle
from battles.play.record_services import take
from battles.setup.queries import state_told
from battles.webhook_events import tell_reminder
from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.accounts.rate_limits import Limit, count_attempt
from kingdom.members import mail
from kingdom.models import Role, User
from rules.core.errors import require
from rules.core.text import _, say

ONCE = Limit("remind", 1, 60)  # a battle an hour
SUBJECT = _("“{battle}” is waiting for you")
TEXT = _("{gm} reminds you: “{battle}” in {campaign} is waiting for you.")


@gm_only
@transaction.atomic
def remind_awaited(*, by: User, battle_id: UUID | str, page: str = "") -> list[str]:
    """Remind the players a battle waits for, by mail and by the webhooks that hear of turns (GM). Their names.

    `page`: the battle's address. Raises `IllegalCommand` where it waits for no player, or was reminded of within the
    hour.
    """
    battle = take(by, battle_id)
    require_gm(by, battle.campaign)
    players = [user for user in list_awaited_players(battle) if user.pk != by.pk]
    require(players, _("This battle isn’t waiting for any player."))
    wait = count_attempt(ONCE, str(battle.pk))
    require(not wait, _("The players of this battle were already reminded less than an hour ago."))
    told = {"battle": battle.name, "campaign": battle.campaign.name, "gm": by.get_username()}
    mail.send(players, say(SUBJECT, **told), say(TEXT, **told), page=page)
    tell_reminder(battle)
    return sorted(user.get_username() for user in players)


def list_awaited_players(battle: Battle) -> list[User]:
    """The members who play a kingdom that is awaited."""
    if battle.status != Battle.Status.RUNNING:
        return []
    kingdoms = set(state_told(battle)["awaited"]) - {ENGINE}
    seated = {"memberships__campaign": battle.campaign_id, "memberships__role": Role.PLAYER}
    return list(User.objects.filter(seats__kingdom__in=kingdoms, **seated).distinct())
