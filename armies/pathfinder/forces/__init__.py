"""Mass combat's armies for the frame: access, tracked fields, specs."""
