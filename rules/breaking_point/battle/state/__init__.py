"""State of a battle, its events, and the figures of bodies under the circumstances."""
