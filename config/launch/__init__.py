"""What starts, builds and looks after an installation from outside."""
