"""Live pages: whoever has a page open is told that what it shows has changed, and fetches it again."""
