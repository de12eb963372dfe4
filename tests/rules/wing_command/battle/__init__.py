"""Tests of wing command."""
