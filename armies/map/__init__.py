"""The campaign's map for people and programs: what each may see of it, drawn and as tables."""
