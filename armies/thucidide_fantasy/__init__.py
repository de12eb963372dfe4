"""Armies of THUCIDIDE fantasy: each is a contingent of units and characters."""
