"""Accounts: settings, API tokens, sign-ins and deletion."""
