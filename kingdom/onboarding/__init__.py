"""Onboarding: campaign templates, the checklist of first steps, and the tour."""
