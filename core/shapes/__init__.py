"""Interfaces of declared shapes: forms, table cells, and serializers for the API's document."""
