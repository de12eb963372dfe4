"""Tests of THUCIDIDE fantasy."""
