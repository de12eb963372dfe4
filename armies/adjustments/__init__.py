"""Lasting adjustments of an army's figures by the GM, under any ruleset."""
