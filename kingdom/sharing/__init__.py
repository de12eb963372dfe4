"""Share links: public pages of single things."""
