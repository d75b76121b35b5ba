"""Large answers are compressed for those who accept it, and once when they are asked for again (FK-010)."""

from __future__ import annotations

import gzip

import pytest

from fakecluster.api.outcome import Response
from fakecluster.server.http.compression import THRESHOLD, VARY, Compressor

LARGE = b"x" * (THRESHOLD + 1)


@pytest.mark.parametrize(
    ("body", "accepted", "packed"),
    [
        pytest.param(LARGE, "gzip, deflate", True, id="large"),
        pytest.param(LARGE[1:], "gzip", False, id="small"),
        pytest.param(LARGE, "deflate", False, id="not-accepted"),
        pytest.param(LARGE, "gzip;q=0.5", False, id="with-a-quality"),
    ],
)
def test_fk_010_a_large_answer_is_compressed_for_who_accepts_it(body, accepted, packed):
    answer = Compressor().compress(Response(code=200, body=body), accepted)

    assert (gzip.decompress(answer.body) if packed else answer.body) == body
    assert (VARY in answer.headers) == packed


@pytest.mark.parametrize(
    ("tags", "same"),
    [
        pytest.param(("revision 1", "revision 1"), True, id="same-tag"),
        pytest.param(("revision 1", "revision 2"), False, id="another-tag"),
        pytest.param((None, None), False, id="no-tag"),
    ],
)
def test_an_answer_that_was_compressed_before_is_not_compressed_again(tags, same):
    compressor = Compressor()
    first, second = (
        compressor.compress(Response(code=200, body=LARGE, tag=tag), "gzip").body for tag in tags
    )

    assert (first is second) == same
    assert gzip.decompress(second) == LARGE
