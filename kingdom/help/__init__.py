"""Help: one page for everybody, with a topic for each page of the site."""
