"""Webhooks: events sent to external programs."""
