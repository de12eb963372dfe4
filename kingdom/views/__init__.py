"""Pages: parse, call, render. No rule is decided here."""
