"""Army sheets of Pathfinder: pages, services, forms."""
