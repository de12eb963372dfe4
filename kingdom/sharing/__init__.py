"""Share links: public pages of single objects."""
