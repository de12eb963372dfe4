"""Time: days pass in a campaign. Proposed, confirmed in one transaction, taken back; what they do is the law's life."""
