"""Map page: the campaign's map as each user sees it, drawn and as tables."""
