"""Members: invitations, roles, ownership."""
