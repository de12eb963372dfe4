"""Archive: a campaign as one document. Tables (`tables`), columns (`columns`), ids (`ids`), writing (`export_rows`),
reading (`scanner`, `versions`, `import_rows`).

Apps make their tables known with `tables.carry`; kingdoms know neither armies nor battles.
"""
