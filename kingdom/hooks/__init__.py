"""Webhooks: what a campaign tells programs outside, and how it gets there."""
