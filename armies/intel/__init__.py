"""Intelligence: spies, allies, hidden armies."""
