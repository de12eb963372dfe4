"""Map files of other tools (Tiled, Worldographer, Azgaar's Fantasy Map Generator), read as campaign maps."""
