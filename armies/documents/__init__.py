"""Armies whose sheet is a JSON document with a declared shape (`rules.core.shapes`). Forms, pages, tables and the API
are derived from the shape.
"""
