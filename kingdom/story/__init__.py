"""Story of the war: chronicle and notes together."""
