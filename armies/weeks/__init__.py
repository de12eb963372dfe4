"""Passage of time in a campaign: proposal, confirmation and undo of days and weeks."""
