"""Setup of battles of wing command: the opening, and what is said and placed before the battle."""
