"""Orders: the choices offered, and the check when one is given."""
