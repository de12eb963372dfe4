"""Help: one page for everybody, and the part of it that concerns a page."""
