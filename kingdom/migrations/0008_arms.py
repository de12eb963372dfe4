"""Every kingdom bears arms: those its name gives, with an outline of its own among the kingdoms of its campaign.

They are drawn as they were drawn when this was written, whatever arms are made of today.
"""

import hashlib
import unicodedata
from collections import Counter
from itertools import groupby

from django.db import migrations, models

SHIELDS = ("heater", "notched", "square", "round", "kite", "angular")
DIVISIONS = ("plain", "pale", "fess", "bend", "quarterly", "chevron", "pile", "chief", "bordure")
CHARGES = (
    "crown", "wolf", "dragon", "horse", "lion", "stag", "bear", "griffin", "eagle", "raven", "tower", "sun", "moon",
    "star", "key", "oak", "rose", "lily", "anchor", "hammer", "wheat", "sword", "axe", "skull", "laurels", "waves",
    "fist",
)  # fmt: skip
COLOURS = ("gules", "azure", "vert", "purpure", "tenne", "sable")
METALS = ("or", "argent")


def draw_arms(name, beside):
    """The arms that a name gives: of each part, beginning with the name's lot, one that fewest of those beside bear."""
    plain = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    left = int.from_bytes(hashlib.blake2b(plain.encode(errors="replace"), digest_size=16).digest())

    def among(count):
        nonlocal left
        left, lot = divmod(left, count)
        return lot

    def draw(options, part=""):
        often, first = Counter(arms[part] for arms in beside if part), among(len(options))
        return min([*options[first:], *options[:first]], key=lambda slug: often[slug])

    arms = {"shield": draw(SHIELDS, "shield"), "division": draw(DIVISIONS, "division")}
    arms["field"] = draw(COLOURS if among(4) else METALS, "field")
    arms["charge"] = draw(CHARGES, "charge")
    return {**arms, "tincture": draw(COLOURS if arms["field"] in METALS else METALS)}


def bear_arms(apps, schema_editor):
    kingdoms = apps.get_model("kingdom", "Kingdom").objects
    ordered = kingdoms.order_by("campaign_id", "id").only("id", "campaign_id", "name", "arms")
    for _campaign, realms in groupby(ordered.iterator(), key=lambda kingdom: kingdom.campaign_id):
        borne = []
        for kingdom in realms:
            borne.append(draw_arms(kingdom.name, borne))
            kingdoms.filter(pk=kingdom.pk).update(arms=borne[-1])


class Migration(migrations.Migration):

    dependencies = [
        ('kingdom', '0007_user_settings'),
    ]

    operations = [
        migrations.AddField(
            model_name='kingdom',
            name='arms',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.RunPython(bear_arms, migrations.RunPython.noop),
    ]
