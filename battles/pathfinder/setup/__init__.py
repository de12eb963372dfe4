"""Set-up of mass combat battles."""
