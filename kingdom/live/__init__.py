"""Live pages: an open page is notified when what it shows has changed, and fetches it again."""
