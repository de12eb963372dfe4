"""Places and sieges of the law (BP-8): kept, commanded, shown."""
