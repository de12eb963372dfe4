"""Date and time formats by language, where Django's own do not fit (`FORMAT_MODULE_PATH`)."""
