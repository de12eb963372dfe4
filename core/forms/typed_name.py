"""Confirmation form: whoever deletes something for good types its name. It has its own module, because fields defined
before `guard_text_fields` runs are not guarded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from core.clean_input import NAME_MAX
from core.text_search import normalize_typing as as_typed

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class TypedNameForm(forms.Form):
    """Form with a field for the name. `asked` is the field's label, `wrong` the message for another name. Surrounding
    spaces and typographic apostrophes do not matter.
    """

    asked: StrOrPromise
    wrong: StrOrPromise

    typed = forms.CharField(max_length=NAME_MAX)

    def __init__(self, *args: Any, name: str, **options: Any):
        super().__init__(*args, **options)
        self._name = name
        self.fields["typed"].label = self.asked

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"]
        if as_typed(typed) != as_typed(self._name):
            raise forms.ValidationError(self.wrong)
        return typed
