"""What is legal in a battle, of what somebody picked."""
