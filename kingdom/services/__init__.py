"""Writes. Keyword-only, one transaction each; a `Refusal` means nothing has changed. Import from the module."""
