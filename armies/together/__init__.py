"""One deed for many armies: proposed army by army, then done in one transaction and told in one entry."""
