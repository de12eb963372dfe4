"""Setup of a wing command battle."""
