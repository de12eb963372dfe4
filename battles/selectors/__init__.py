"""Package of queries. Whoever may not see something does not get it."""
