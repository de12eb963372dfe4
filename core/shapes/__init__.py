"""Declared shapes for people and programs: forms, cells of tables, serializers for the document of the API."""
