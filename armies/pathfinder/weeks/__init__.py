"""Passage of time under mass combat: daily, weekly and monthly effects on armies and kingdoms."""
