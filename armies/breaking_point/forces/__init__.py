"""Breaking point armies: specs, words, tables, panels."""
