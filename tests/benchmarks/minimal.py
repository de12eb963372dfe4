"""What a page and a write come to with nothing of ours in them: the addresses of Warhost, and two views beside them."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.template import Context, Engine
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from battles.models import Battle, BattleRecord
from config.urls import handler400, handler403, handler404, handler500
from config.urls import urlpatterns as ours
from kingdom.models import User

__all__ = ["handler400", "handler403", "handler404", "handler500"]

PAGE = Engine().from_string("""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Rows</title></head>
<body><table>{% for row in rows %}<tr><td>{{ row.id }}</td><td>{{ row.username }}</td><td>{{ row.date_joined }}</td>
</tr>{% endfor %}</table></body></html>""")


def rows(request: HttpRequest) -> HttpResponse:
    """Thirty rows of one query in a table."""
    return HttpResponse(PAGE.render(Context({"rows": User.objects.order_by("pk")[:30]})))


@csrf_exempt
@transaction.atomic
def write(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A row locked, changed and joined by another one."""
    battle = Battle.objects.select_for_update().get(pk=pk)
    battle.version += 1
    battle.save(update_fields=["version"])
    BattleRecord.objects.create(
        campaign_id=battle.campaign_id,
        battle=battle,
        seq=battle.version,
        version=battle.version,
        first_event=battle.version,
        command={},
        events=[],
    )
    return HttpResponse(b"{}", content_type="application/json")


urlpatterns = [path("bench/rows/", rows), path("bench/write/<uuid:pk>/", write), *ours]
