"""What only readers of the screen hear takes no room in a button.

Browsers leave the gap of a button's parts for the line break behind words that are out of the flow, if those stand
right behind what is seen: such words end the button, or a line break stands before them.
"""

from __future__ import annotations

import re

import pytest

from config.ops.data_directory import BASE_DIR

SHIFTED = re.compile(
    r'[^\s]<span class="visually-hidden">(?:(?!</span>).)*</span>\s+</(?:button|a|summary)>', re.DOTALL
)


def test_hidden_words_right_behind_what_is_seen_end_their_button():
    pages = (BASE_DIR / "templates").rglob("*.html")
    found = [f"{page.name}: {shifted}" for page in pages for shifted in SHIFTED.findall(page.read_text())]
    assert found == []


@pytest.mark.parametrize(
    ("written", "shifts"),
    [
        ('<button>Begin<span class="visually-hidden">: x</span>\n</button>', True),
        ('<button>Begin<span class="visually-hidden">: x</span></button>', False),
        ('<button>Begin\n<span class="visually-hidden"> x</span>\n</button>', False),
    ],
)
def test_what_shifts_is_known(written, shifts):
    assert bool(SHIFTED.search(written)) is shifts
