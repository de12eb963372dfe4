"""Regeneration 1 returns a hit point an hour (R-74): what armies keep of it follows."""

from django.db import migrations
from django.db.models import F

A_DAY = 24


def least_regeneration(apps, _editor, change=A_DAY):
    armies = apps.get_model("armies", "Army").objects
    concerned = armies.filter(unit__abilities__contains=[{"ability": "regeneration", "value": 1}])
    without = concerned.filter(campaign__house_rules__overlay__abilities__regeneration__off=True)
    concerned.exclude(pk__in=list(without.values_list("pk", flat=True))).update(regrowth=F("regrowth") + change)


def nothing_again(apps, editor):
    least_regeneration(apps, editor, -A_DAY)


class Migration(migrations.Migration):
    dependencies = [("armies", "0005_week_by_step")]

    operations = [migrations.RunPython(least_regeneration, nothing_again)]
