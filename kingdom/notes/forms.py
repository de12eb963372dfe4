"""Form of a note."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.clean_input import LAST_DAY
from core.forms.form_fields import Whole, list_choices
from kingdom.models import Campaign, Note, User
from kingdom.notes.page import audiences_of, name_audience


class NoteForm(forms.Form):
    """Form of a note: its text, audience and day. `version`: the version that is being edited."""

    use_required_attribute = False  # an empty preview is a valid answer
    # The service limits the text: with `max_length` browsers would cut what is pasted, without a word.

    text = forms.CharField(
        label=_("Text"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "data-mentions": ""}),
        help_text=_(
            "**bold**, *italic*, # heading, - list. @Name or @[a long name] links to something in the campaign."
        ),
    )
    audience = forms.ChoiceField(
        label=_("Visible to"),
        help_text=_("The GM can read every note. Others can read notes meant for them about things they can see."),
    )
    day = Whole(label=_("Campaign day"), least=0, most=LAST_DAY, required=False)
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, user: User, campaign: Campaign, note: Note | None = None, **options: Any):
        super().__init__(*args, **{"auto_id": f"note-{note.pk if note else 'new'}-%s", **options})
        choices = audiences_of(user, campaign)
        kept = name_audience(note) if note else "public"
        if kept not in dict(choices):
            choices = [(kept, _("for a deleted kingdom")), *choices]  # type: ignore[list-item]
        self.fields["audience"].choices = list_choices(lambda: choices)  # type: ignore[attr-defined]
        self.initial.update(audience=kept, day=note.day if note else campaign.day)
        if note:
            self.initial.update(text=note.text, version=note.version)

    def given(self) -> dict[str, Any]:
        """Return the arguments for the services; an empty day leaves the day as it is."""
        return {name: value for name, value in self.cleaned_data.items() if value is not None and name != "version"}
