"""Army UI of wing command: what of `DocumentArmies` is its own."""

from __future__ import annotations

from armies.documents.ui import DocumentArmies
from rules.wing_command.wing import WingSheet


class WingArmyUI(DocumentArmies):
    def __init__(self) -> None:
        super().__init__("wing_command", WingSheet)


UI = WingArmyUI()
