"""A battle as a pure function: `open_battle`, `decide`, `evolve`, `legal`, `aftermath`."""
