"""How battles of the law of breaking points are read, drawn and answered."""
