"""Base model of rows that a ruleset may extend with a model of its own."""

from __future__ import annotations

from typing import Any

from kingdom.models.base import CampaignOwned


class Continued(CampaignOwned):
    """Base of models with multi-table subclasses in rulesets. A new row has its key in both tables before it is
    saved.
    """

    class Meta:
        abstract = True

    def __init__(self, *args: Any, **given: Any) -> None:
        if "pk" in given:
            given["id"] = given.pop("pk")
        super().__init__(*args, **given)
        key = self._meta.pk.attname
        if key != "id" and getattr(self, key) is None:
            setattr(self, key, self.id)

    def _set_pk_val(self, value: Any) -> None:
        super()._set_pk_val(value)  # type: ignore[misc]
        self.id = value

    pk = property(CampaignOwned._get_pk_val, _set_pk_val)

    def __eq__(self, other: object) -> bool:
        """Whether both are the same row, loaded as the base model or as a subclass."""
        if isinstance(other, Continued) and (isinstance(other, type(self)) or isinstance(self, type(other))):
            return bool(self.id == other.id)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.id)
