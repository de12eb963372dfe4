"""Log of a battle, its replay, report and luck."""
