"""Story of the war: its battles in prose, in chapters by season."""
