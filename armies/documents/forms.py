"""Form that raises or changes an army, made from the shape of its document."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.forms.utils import ErrorDict
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from armies.default.forms import copies_field
from armies.documents.drafts import (
    FIELDS_MOST,
    DocumentDraft,
    EntryDraft,
    drafted,
    folded,
    kept,
    list_kind,
    lists_of,
    mark_of,
    rest_of,
    spread,
)
from armies.forces.declared_figures import RaiseForm
from armies.models import Army, Commander
from core.forms.form_fields import said
from core.shapes.forms import CatalogueChoices, JsonDocument, ShapeForm, add_refusal, hidden_field, rows_in
from core.text import render
from kingdom.models import Kingdom
from kingdom.realms.figures import get_ruleset
from rules.army_law import ARMY_FIGURES
from rules.core.errors import Refusal
from rules.core.shapes import DeclaredShape

TABLE_MOST = 60_000


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry as it is drawn. `open`: it is new, or something in it was refused. `kept`: hidden field of a folded
    entry. `lists`: rows of fields, by the label of their list.
    """

    name: str
    place: int
    title: str
    about: str
    is_new: bool = False
    open: bool = False
    fields: Sequence[forms.BoundField] = ()
    lists: Sequence[tuple[str, Sequence[Sequence[forms.BoundField]]]] = ()
    rest: forms.BoundField | None = None
    kept: forms.BoundField | None = None

    @property
    def folded(self) -> bool:
        return self.kept is not None


@dataclass(frozen=True, slots=True)
class EntryList:
    """A list of the document as it is drawn. `one`: name of an entry."""

    name: str
    label: str
    one: str
    rows: Sequence[EntryRow]
    most: int

    @property
    def room(self) -> bool:
        return len(self.rows) < self.most


class DocumentForm(RaiseForm):
    """Form of an army: name, commander, and members of the shape. The ruleset's messages stand beside their fields.

    `army`: the one to change. `sent`: data to validate; `draft`: contents that are not validated yet.
    """

    name = forms.CharField(label=_("Name of the army"), max_length=120)
    copies = copies_field()
    commander = forms.ModelChoiceField(
        Commander.objects.none(), label=_("Commander"), required=False, empty_label=_("none yet")
    )
    table = forms.CharField(
        label=_("Units as CSV"),
        required=False,
        max_length=TABLE_MOST,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_("Paste a table exported with “Units as CSV” on an army’s page. It replaces the units above."),
    )
    mark = hidden_field()

    def __init__(
        self,
        *,
        kingdom: Kingdom,
        army: Army | None = None,
        gm: bool = False,
        sent: QueryDict | None = None,
        draft: DocumentDraft | None = None,
    ):
        self.law: Any = get_ruleset(kingdom.campaign)
        self.shape: DeclaredShape = self.law.armies.shape
        if draft is None:
            draft = self.drafted(sent) if sent is not None else kept(army, self.shape) if army else self.begun()
        self.army = army
        mark = mark_of(army) if army else ""
        self._overtaken = sent is not None and draft.head.get("mark", mark) != mark
        if self._overtaken:
            draft.head["mark"] = mark
        shown = self._stand(draft, judged=sent is not None)
        super().__init__(None if sent is None else shown, initial=shown)
        self._open_to(kingdom, army, gm)
        self._lay_out()

    # Hooks of rulesets.

    @property
    def offers(self) -> CatalogueChoices:
        """Choices of its lists; all catalogue entries by default."""
        return {}

    def drafted(self, sent: QueryDict) -> DocumentDraft:
        return drafted(sent, self.shape)

    def begun(self) -> DocumentDraft:
        """Initial draft of a new army."""
        return kept(None, self.shape)

    def title_of(self, name: str, entry: Mapping[str, Any]) -> str:
        return str(entry.get("name") or "")

    def about(self, name: str, entry: Mapping[str, Any]) -> str:
        """Short description of an entry: its first choice and number, as typed so far."""
        told = [str(entry[key]) for key in list(lists_of(self.shape)[name].members)[:3] if entry.get(key)]
        return " · ".join(word for word in told if word != entry.get("name"))

    def more_fields(self, name: str, at: str) -> Mapping[str, forms.Field]:
        """Further fields of an entry, which its shape does not have."""
        return {}

    # Fields.

    def _stand(self, draft: DocumentDraft, judged: bool = False) -> JsonDocument:
        """Takes the draft over and returns the initial values of the fields."""
        self._catalogues = self.offers or offers_of(self.law.armies)
        self.draft = draft
        self._refusal = self._refused() if judged else None
        self.spread: dict[str, frozenset[int]] = {}
        shown, room = {**draft.head, **ShapeForm(self.shape).flat("", draft.body)}, FIELDS_MOST
        for name, inner in lists_of(self.shape).items():
            one = draft.lists[name]
            self.spread[name] = spread(one, inner, self._wrong(name), room)
            shown |= self._flat_entries(name, inner, one)
        return shown

    def _flat_entries(self, name: str, shape: DeclaredShape, draft: EntryDraft) -> JsonDocument:
        shown: JsonDocument = {}
        for place, entry in enumerate(draft.entries):
            at = f"{name}-{place}-"
            if place not in self.spread[name]:
                shown[f"{at}kept"] = folded(entry)
                continue
            shown |= ShapeForm(shape).flat(at, entry)
            if rest := rest_of(entry, shape):
                shown[f"{at}rest"] = folded(rest)
        return shown

    def _open_to(self, kingdom: Kingdom, army: Army | None, gm: bool) -> None:
        """Adds the commander and the figures at raising for a new army; removes these fields for an existing one."""
        if army is None:
            free = Commander.objects.filter(kingdom=kingdom, status=Commander.Status.FREE, army=None)
            self.fields["commander"].queryset = free  # type: ignore[attr-defined]
            del self.fields["mark"]
            self.ask_figures(ARMY_FIGURES, gm=gm)
        else:
            del self.fields["commander"], self.fields["copies"]

    def _lay_out(self) -> None:
        self.body = dict(ShapeForm(self.shape, self._catalogues).fields("", self.draft.body))
        self.fields.update(self.body)
        for name, inner in lists_of(self.shape).items():
            fields = ShapeForm(inner, self._catalogues)
            for place, entry in enumerate(self.draft.lists[name].entries):
                at = f"{name}-{place}-"
                if place not in self.spread[name]:
                    self.fields[f"{at}kept"] = hidden_field()
                    continue
                self.fields.update(fields.fields(at, entry))
                self.fields.update(self.more_fields(name, at))
                if rest_of(entry, inner):
                    self.fields[f"{at}rest"] = hidden_field()

    # What is drawn.

    @property
    def head_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.body]

    @property
    def lists(self) -> list[EntryList]:
        found = []
        for name in lists_of(self.shape):
            one = self.shape.members[name]
            label, entry = str(said(one.label)), str(said(one.named.one or one.label))
            found.append(EntryList(name, label, entry, self.rows_of(name), list_kind(self.shape, name).most))
        return found

    def rows_of(self, name: str) -> list[Any]:
        return [
            self.row_of(name, place, entry) if place in self.spread[name] else self._folded(name, place, entry)
            for place, entry in enumerate(self.draft.lists[name].entries)
        ]

    def _folded(self, name: str, place: int, entry: Mapping[str, Any]) -> EntryRow:
        hidden = self[f"{name}-{place}-kept"]
        return EntryRow(
            f"{name}-{place}", place, self.title_of(name, entry), self.about(name, entry), kept=hidden
        )  # fmt: skip

    def row_of(self, name: str, place: int, entry: Mapping[str, Any]) -> Any:
        at, draft = f"{name}-{place}-", self.draft.lists[name]
        inner = lists_of(self.shape)[name]
        rows = {key for key, one in inner.members.items() if f"{at}{key}-0-slug" in self.fields}
        own = [key for key in self.fields if key.startswith(at) and key != f"{at}rest"]
        plain = [key for key in own if key.removeprefix(at).partition("-")[0] not in rows]
        return EntryRow(
            name=f"{name}-{place}",
            place=place,
            title=self.title_of(name, entry),
            about=self.about(name, entry),
            is_new=place == draft.new,
            open=self.is_wrong(at) or place == draft.new or len(draft.entries) == 1,
            fields=[self[key] for key in plain],
            lists=[(str(said(inner.members[key].label)), rows_in(self, f"{at}{key}-")) for key in sorted(rows)],
            rest=self[f"{at}rest"] if f"{at}rest" in self.fields else None,
        )

    def is_wrong(self, at: str) -> bool:
        return self.is_bound and any(name.startswith(at) for name in self.errors)

    # Refusals.

    def clean(self) -> Any:
        """Adds the ruleset's messages to those of the fields, so that all appear at once."""
        if self._refusal is not None:
            self.add_refusal(self._refusal)
        if self._overtaken:
            self.add_error(None, gettext(
                "This army has changed since you opened this page. Compare both versions. If you save again, yours "
                "replaces the other."
            ))  # fmt: skip
        return super().clean()

    def _refused(self) -> Refusal | None:
        try:
            self.law.armies.read(self.document())
        except Refusal as refusal:
            return refusal
        return None

    def _wrong(self, name: str) -> Iterator[int]:
        """Places of a list's entries in which something was refused."""
        place_in = re.compile(rf"/{name}/(\d{{1,3}})(?:/|$)")
        for pointer, _message in self._refusal.errors if self._refusal else ():
            if found := place_in.match(pointer):
                yield int(found[1])

    def add_refusal(self, refusal: Refusal) -> None:
        """Adds every message to the field that its pointer names."""
        add_refusal(self, refusal, "/sheet")

    def refuse_alone(self, refusal: Refusal) -> None:
        """Add a refusal to a form that was not validated otherwise."""
        self._errors, self.cleaned_data = ErrorDict(), {}
        self.add_refusal(refusal)

    def document(self) -> JsonDocument:
        """The army's document, for the ruleset to validate."""
        return with_carried(self.army, self.draft.document, self.shape)


def offers_of(law: Any) -> CatalogueChoices:
    """Choices of a document's lists: all entries of the ruleset's catalogues, by name."""
    return {
        name: sorted(((slug, render(getattr(one, "name", one))) for slug, one in known.items()), key=lambda it: it[1])
        for name, known in law.catalogues.items()
        if isinstance(known, Mapping)
    }


def with_carried(army: Army | None, sheet: Mapping[str, Any], shape: DeclaredShape) -> JsonDocument:
    """The new document with the members that an army carries along (`carried`), which no form shows."""
    own = {key: army.sheet[key] for key, one in shape.members.items()
           if army and one.carried and army.sheet.get(key)}  # fmt: skip
    return {**sheet, **own}


# Form of an army of troops and characters.


class TypedTroopForm(DocumentForm):
    """`troops`: the list whose entries have a unit type. `kinds`: kinds of characters, by slug."""

    troops: ClassVar[str]
    kinds: ClassVar[Mapping[str, Any]]

    @abstractmethod
    def describe_troop(self, entry: Mapping[str, Any]) -> str:
        """Type and figures of a troop. Raises `Refusal` where the ruleset does not accept it."""

    def title_of(self, name: str, entry: Mapping[str, Any]) -> str:
        if entry.get("name"):
            return str(entry["name"])
        kind = self.law.tables.troops.get(entry.get("type")) if name == self.troops else None
        return render(kind.name) if kind else ""

    def about(self, name: str, entry: Mapping[str, Any]) -> str:
        """Type and figures of a troop, or a character's kind."""
        if name == "characters":
            kind = self.kinds.get(str(entry.get("kind")))
            return render(kind.name) if kind else ""
        try:
            return self.describe_troop(entry)
        except Refusal:
            return ""
