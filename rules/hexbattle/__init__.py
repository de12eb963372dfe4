"""Battles on a hex map, whatever their law: units, ground, moving, seeing and what a page needs to draw them."""
