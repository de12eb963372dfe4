"""Accounts: sign-up, sign-in, passkeys and sessions, on top of django-allauth."""
