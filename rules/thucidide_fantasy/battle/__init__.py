"""Battle engine of THUCIDIDE fantasy."""
