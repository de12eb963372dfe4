"""State of a battle, the events that change it, and the figures of bodies under the circumstances."""
