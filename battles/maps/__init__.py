"""Library of battle maps in a campaign."""
