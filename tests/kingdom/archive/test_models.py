"""Nothing of a campaign is forgotten: every table below one is carried or left out, and every column travels."""

from __future__ import annotations

from django.apps import apps
from django.db import models

from kingdom.archive.columns import build_column
from kingdom.archive.import_checks import ROOT, list_carried_tables
from kingdom.contributions import contributed
from kingdom.models import Campaign, User


def below_a_campaign() -> set[type[models.Model]]:
    """Every model that names a campaign, or a row of one that does."""
    found: set[type[models.Model]] = {Campaign}
    while True:
        more = {model for model in apps.get_models() if model not in found and _names(model, found)}
        if not more:
            return found - {Campaign}
        found |= more


def _names(model, found) -> bool:
    return model is not User and any(field.is_relation and field.related_model in found
                                     for field in model._meta.concrete_fields)  # fmt: skip


def test_every_table_below_a_campaign_is_carried_or_left_out_for_a_reason():
    known = {table.model for table in list_carried_tables()} | contributed().left_out.keys()
    assert below_a_campaign() - known == set()
    assert known <= below_a_campaign()
    assert all(contributed().left_out.values())


def test_every_column_travels_or_is_left_out_for_a_reason():
    names = {table.model: table.name for table in list_carried_tables()}
    for table in (ROOT, *list_carried_tables()):
        own = {field.name: field for field in table.model._meta.local_concrete_fields if field.name != "campaign"}
        assert table.left_out.keys() <= own.keys()
        assert all(table.left_out.values())
        assert {name: build_column(field, names) for name, field in own.items() if name not in table.left_out} == (
            table.columns
        )


def test_a_table_comes_after_those_whose_rows_it_names():
    order = [table.name for table in list_carried_tables()]
    assert order.index("kingdoms") < order.index("commanders") < order.index("armies") < order.index("battle_armies")
    assert order.index("armies") < order.index("pathfinder_armies")
    assert order.index("chronicle") < order.index("requests")
