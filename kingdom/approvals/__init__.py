"""Approval requests: what players ask of the GM."""
