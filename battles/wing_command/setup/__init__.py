"""Setup of a battle of wing command: opening, orders and placing."""
