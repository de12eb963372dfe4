"""Kingdoms: sheets, settlements, treasury, heraldry."""
