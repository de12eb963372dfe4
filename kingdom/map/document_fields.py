"""Serializers of map documents (HX-7)."""

from __future__ import annotations

from rest_framework import serializers

from core.api.serializers import Open


class MapEdgeSerializer(serializers.Serializer):
    """An obstacle between two hexes."""

    between = serializers.ListField(child=serializers.CharField())
    obstacle = serializers.CharField()


class MapDocumentSerializer(Open, serializers.Serializer):
    """The document of a map. Unknown members are kept and written back."""

    format = serializers.CharField(required=False)
    version = serializers.IntegerField(required=False)
    name = serializers.CharField(required=False)
    kind = serializers.CharField(required=False, allow_blank=True)
    columns = serializers.IntegerField()
    rows = serializers.IntegerField()
    terrain = serializers.ListField(child=serializers.CharField())
    heights = serializers.DictField(child=serializers.IntegerField(), required=False)
    edges = MapEdgeSerializer(many=True, required=False)
    roads = serializers.ListField(child=serializers.ListField(child=serializers.CharField()), required=False)
    rivers = serializers.ListField(child=serializers.ListField(child=serializers.CharField()), required=False)
    labels = serializers.DictField(child=serializers.CharField(), required=False)
    credits = serializers.CharField(required=False)
    claims = serializers.DictField(child=serializers.ListField(child=serializers.CharField()), required=False)


class MapLaidSerializer(MapDocumentSerializer):
    """The map now in use. `told`: a sentence that says what was done, and which armies left the map."""

    told = serializers.CharField()
