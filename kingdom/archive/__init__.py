"""Archive: export and import of a campaign as one document.

Carried tables (`carried_tables`), columns and ids (`columns`), export (`export_rows`), import (`scanner`, `versions`,
`import_rows`). Apps contribute their tables: kingdoms know neither armies nor battles.
"""
