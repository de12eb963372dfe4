"""How a campaign begins: kingdoms with their settlements, commanders and armies, made through the services."""
