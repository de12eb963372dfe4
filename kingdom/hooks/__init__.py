"""Webhooks: what a campaign tells programs outside, and how it gets there (docs/decisions/0021-webhooks.md)."""
