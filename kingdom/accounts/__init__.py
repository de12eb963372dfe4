"""Accounts: settings, tokens, sign-ins, deletion."""
