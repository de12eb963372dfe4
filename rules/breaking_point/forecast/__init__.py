"""The future of battles of breaking points: what chances the dice leave everybody."""
