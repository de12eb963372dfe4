"""A campaign as one document: what is carried (`tables`), how a column travels (`columns`), what becomes of ids
(`ids`), how it is written (`writing`) and read (`scanner`, `versions`, `bringing`).

Apps make their tables known with `tables.carry`; kingdoms know neither armies nor battles.
"""
