"""Setup of a battle of wing command."""
