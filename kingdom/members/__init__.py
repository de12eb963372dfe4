"""Members: invitations, roles and ownership."""
