"""Armies of several units: form, sheets, services."""
