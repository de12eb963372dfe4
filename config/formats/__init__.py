"""Date and time formats by language, where Django's own do not suffice (`FORMAT_MODULE_PATH`)."""
