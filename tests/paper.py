"""Pages as a browser prints them."""

from __future__ import annotations

import re

from playwright.sync_api import Page


def pages_printed(page: Page) -> int:
    """How many sheets of paper the page takes, by its own @page rules."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True)))
