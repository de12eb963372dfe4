"""Story of the campaign: its battles in prose, in chapters by season."""
