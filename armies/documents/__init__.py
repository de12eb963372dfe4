"""Armies whose document is a declared shape: forms, pages, tables and the API follow from the shape."""
