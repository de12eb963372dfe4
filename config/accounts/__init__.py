"""Sign-up, sign-in, passkeys, sessions."""
