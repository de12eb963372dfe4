"""What is shared with the world, and campaigns and accounts that end."""
