"""What a battle is: its state, the events that change it, how an army is seen."""
