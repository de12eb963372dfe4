"""Map page: what each user sees of the campaign's map, drawn and as tables."""
