"""Long texts are cut as Kueue cuts them (AC-274)."""

from __future__ import annotations

import pytest

from reference_impl.api.shortening import shorten

TEXTS = {
    "fits": ("abcdefgh", "abcdefgh"),
    "one too many": ("abcdefghi", "abcd ..."),
    "never inside a character": ("abc\u00e4\u00e4\u00e4", "abc ..."),
}


@pytest.mark.parametrize(("text", "short"), TEXTS.values(), ids=TEXTS.keys())
def test_text_of_eight_bytes(text: str, short: str) -> None:
    assert shorten(text, 8) == short
