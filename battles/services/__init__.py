"""Everything that changes battles, one module a deed. Keyword-only, one transaction each.

Raises `InvalidInput` (the input is wrong), `IllegalCommand` (not legal now, said in the player’s words),
`BattleMovedOn` (the battle changed meanwhile), `DiceNeeded` (dice must be typed first), `PermissionDenied` or
`Http404`; then nothing has changed.
"""
