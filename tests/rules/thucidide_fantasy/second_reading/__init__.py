"""A second, independent reading of the law: a plain referee, written from its text alone."""
