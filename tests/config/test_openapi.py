from __future__ import annotations

from pathlib import Path

from django.core.management import call_command

COMMITTED = Path(__file__).resolve().parent.parent.parent / "openapi.yaml"


def test_the_committed_document_is_what_the_code_says(tmp_path):
    """Run `make openapi` after changing the API, and read the difference before committing it."""
    generated = tmp_path / "openapi.yaml"
    call_command("spectacular", lang="en", file=str(generated), validate=True)
    assert generated.read_text() == COMMITTED.read_text()
