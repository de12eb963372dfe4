"""View that offers armies that could join a battle while a name is typed."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles.setup.reserves import reserves_like
from core.clean_input import NAME_MAX
from kingdom.access.request_types import PageRequest


@login_required
@require_safe
def reserves(request: PageRequest, battle_id: UUID) -> HttpResponse:
    names = reserves_like(request.user, battle_id, request.GET.get("army", "")[:NAME_MAX])
    return render(request, "kingdom/chronicle/parts/names.html", {"names": names})
