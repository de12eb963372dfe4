"""Webhooks: events sent to outside programs."""
