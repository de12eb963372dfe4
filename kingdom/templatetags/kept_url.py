"""Template tag `url` with cached addresses (`core.url_cache`). Every template knows it."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context, defaulttags
from django.template.base import Parser, Token
from django.urls import NoReverseMatch
from django.utils.html import conditional_escape

from core.url_cache import get_url

register = template.Library()


class KeptUrl(defaulttags.URLNode):
    def render(self, context: Context) -> str:
        if self.kwargs:
            return super().render(context)
        found: str = self._found(context)
        if self.asvar:
            context[self.asvar] = found
            return ""
        return conditional_escape(found) if context.autoescape else found

    def _found(self, context: Context) -> str:
        """ "" for one that is not there where it is only put aside."""
        args = [arg.resolve(context) for arg in self.args]
        try:
            return get_url(self.view_name.resolve(context), *args)
        except NoReverseMatch:
            if self.asvar is None:
                raise
            return ""


@register.tag
def url(parser: Parser, token: Token) -> KeptUrl:
    node: Any = defaulttags.url(parser, token)
    return KeptUrl(node.view_name, node.args, node.kwargs, node.asvar)
