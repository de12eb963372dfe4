"""Legal choices of a battle, of what somebody picked."""
