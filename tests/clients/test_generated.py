"""The generated modules of the Python client are those of the present document."""

from __future__ import annotations

from pathlib import Path

import yaml
from generate import write
from warhost_client import Warhost

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "clients" / "python"


def test_the_generated_modules_are_current(tmp_path):
    write(tmp_path)
    for name in ("types.py", "operations.py"):
        kept = CLIENT / "warhost_client" / name
        assert (tmp_path / name).read_text() == kept.read_text(), f"{name} is not current: run `make client`"


def test_every_operation_of_the_document_has_a_method():
    document = yaml.load((ROOT / "openapi.yaml").read_text(), yaml.CSafeLoader)
    names = {told["operationId"] for methods in document["paths"].values() for told in methods.values()}
    assert len(names) > 150
    assert [name for name in names if not callable(getattr(Warhost, name, None))] == []
