"""Template tag that draws a link as a QR code: `{% qr_code url label %}`."""

from __future__ import annotations

import segno
from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

QUIET = 4
"""Width of the empty border around the code in modules, as its standard requires."""


@register.simple_tag
def qr_code(text: str, label: str) -> SafeString:
    """Return the text as a QR code in SVG, dark on light in both themes."""
    code = segno.make(text, error="m", micro=False)
    wide = code.symbol_size(border=QUIET)[0]
    drawn = code.svg_inline(border=QUIET, omitsize=True, svgclass=None, lineclass=None)
    path = mark_safe(drawn[drawn.index("<path") : drawn.rindex("</svg>")])
    return format_html('<svg class="qr" viewBox="0 0 {0} {0}" role="img" aria-label="{1}">{2}</svg>', wide, label, path)
