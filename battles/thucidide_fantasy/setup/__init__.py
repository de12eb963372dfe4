"""Setup of a battle of THUCIDIDE fantasy: opening, placing and choosing cards."""
