"""Setup of battles of THUCIDIDE fantasy: the opening, and what is said and placed before the battle."""
