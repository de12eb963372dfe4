"""Breaking point's armies for the frame: specs, words, tables, panels."""
