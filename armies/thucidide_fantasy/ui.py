"""Army UI of THUCIDIDE fantasy: what of `DocumentArmies` is its own."""

from __future__ import annotations

from armies.documents.ui import DocumentArmies
from rules.thucidide_fantasy.contingent import ContingentCommander, ContingentSheet


class ContingentArmyUI(DocumentArmies):
    def __init__(self) -> None:
        super().__init__("thucidide_fantasy", ContingentSheet, commander=ContingentCommander)


UI = ContingentArmyUI()
