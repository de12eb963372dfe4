"""Adapters of declared shapes (`rules.core.shapes`) to Django: forms, table cells, and serializers for the API's
document.
"""
