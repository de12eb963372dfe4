"""A second reading of the law of time, written from its text alone.

It shares no code with `rules/`, so that an error would have to be made twice. `drawing` and `play` bring it to
the tables; everything else is plain Python.
"""
