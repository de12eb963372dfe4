"""Onboarding: campaign templates and the checklist of first steps."""
