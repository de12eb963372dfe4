"""Models of the campaign's map: terrain, claims, and what each kingdom has seen.

Objects on the map (settlements, armies) store the name of their hex themselves.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from kingdom.models.base import CampaignOwned, uuid7

SIGHT, SIGHT_MOST = 2, 20  # hexes
SIDE_MOST = 100
HUNDREDTHS = 100  # unit of the background picture's position: hundredths of a hex's width
PICTURE_WIDTH = (1 * HUNDREDTHS, 400 * HUNDREDTHS)
PICTURE_OFFSET = (-400 * HUNDREDTHS, 400 * HUNDREDTHS)
PICTURE_OPACITY = (10, 100)  # percent


class CampaignMap(CampaignOwned):
    """A campaign's map, at most one. `written` holds what its file says besides name, size and rows of terrain.

    Every change raises `version` and sets a new `revision`, which identifies one state for good. `fog`: players see
    only what their kingdoms have seen, `sight` hexes around what they own. `sizes`: a kingdom's size is its number of
    hexes. `put_away`: nobody sees the map, and it may be restored.

    `picture_width`, `picture_left` and `picture_top` say where the picture below the map lies (a `Picture` of kind
    "map"), in hundredths of a hex's width; without a width it is as wide as the map. `picture_opacity` is in percent.
    """

    campaign = models.OneToOneField("kingdom.Campaign", models.CASCADE, related_name="map")
    name = models.CharField(max_length=120)
    columns = models.PositiveSmallIntegerField()
    rows = models.PositiveSmallIntegerField()
    written = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=1)
    revision = models.UUIDField(default=uuid7, editable=False)
    fog = models.BooleanField(default=False)
    sight = models.PositiveSmallIntegerField(default=SIGHT)
    sizes = models.BooleanField(default=False)
    put_away = models.BooleanField(default=False)
    picture_width = models.PositiveIntegerField(null=True, blank=True)
    picture_left = models.IntegerField(default=0, db_default=0)
    picture_top = models.IntegerField(default=0, db_default=0)
    picture_opacity = models.PositiveSmallIntegerField(default=100, db_default=100)

    class Meta:
        constraints = (
            models.CheckConstraint(
                name="map_sides", condition=Q(columns__gte=1, columns__lte=SIDE_MOST, rows__gte=1, rows__lte=SIDE_MOST)
            ),
            models.CheckConstraint(name="map_sight", condition=Q(sight__lte=SIGHT_MOST)),
            models.CheckConstraint(
                name="map_picture",
                condition=(Q(picture_width=None) | Q(picture_width__range=PICTURE_WIDTH))
                & Q(picture_left__range=PICTURE_OFFSET)
                & Q(picture_top__range=PICTURE_OFFSET)
                & Q(picture_opacity__range=PICTURE_OPACITY),
            ),
        )

    def __str__(self) -> str:
        return self.name


class MapRow(CampaignOwned):
    """A row of the map, counted from 0 in the north. A brush stroke rewrites only the rows it touches.

    `terrain`: one letter a hex. `claims`: runs `[first column, last column, kingdom's id]`, west to east, so that no
    hex is claimed twice.
    """

    map = models.ForeignKey(CampaignMap, models.CASCADE, related_name="lines")
    number = models.PositiveSmallIntegerField()
    terrain = models.CharField(max_length=SIDE_MOST)
    claims = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(name="map_row_once", fields=("map", "number")),)

    def __str__(self) -> str:
        return f"{self.number + 1}"


class MapKnowledge(CampaignOwned):
    """The part of the map that a kingdom has seen: one bit a hex, a hundred to a row whatever the map's width, so that
    it stays valid when the map grows. Only the GM can reset it.
    """

    map = models.ForeignKey(CampaignMap, models.CASCADE, related_name="knowledge")
    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="+")
    seen = models.BinaryField(default=bytes)

    class Meta:
        constraints = (models.UniqueConstraint(name="map_knowledge_once", fields=("map", "kingdom")),)

    def __str__(self) -> str:
        return f"{self.kingdom_id} @ {self.map_id}"
