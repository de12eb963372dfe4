"""Passage of time under breaking point: daily and weekly effects on armies and sieges."""
