"""Manifests that no program may die of (issue 16, 17)."""

from __future__ import annotations

import pytest

from fakecluster.cluster.manifests import ManifestError, load


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("[" * 100_000, "nests deeper than", id="lists"),
        pytest.param("{a: " * 100_000, "nests deeper than", id="maps"),
        pytest.param("- " * 100_000, "nests deeper than", id="dashes"),
        pytest.param("a: b\n---\n" + "[" * 100_000, "nests deeper than", id="second document"),
        pytest.param(f"a: {'1' * 5000}", "not YAML", id="number"),
        pytest.param("\x00", "not YAML", id="control character"),
    ],
)
def test_a_file_that_cannot_be_read_is_explained(tmp_path, text, message):
    (tmp_path / "a.yaml").write_text(text)

    with pytest.raises(ManifestError, match=message):
        load(tmp_path / "a.yaml")
