"""Law of breaking points: big battles, sieges and fleets by attack power, force and breaking point (BP, B)."""
