"""Battle of mass combat as pure functions: `open_battle`, `decide`, `evolve`, `legal`, `aftermath`."""
