"""Armies of many units: builder, sheets, services."""
