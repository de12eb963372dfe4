"""How dates and hours are written where Django's own ways will not do (`FORMAT_MODULE_PATH`), by language."""
