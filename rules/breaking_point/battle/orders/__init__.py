"""Orders: the available choices, and the validation of a given order."""
