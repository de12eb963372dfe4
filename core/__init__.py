"""Building blocks that know no game: text, input, caches, the API's plumbing."""
