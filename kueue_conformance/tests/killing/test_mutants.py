"""A check controller of the zoo says what it breaks, or that it is right; another text is refused."""

import pytest

from kueue_conformance.tests.killing.mutants import read_mutant


def test_what_a_wrong_controller_breaks_is_read():
    (mutant,) = read_mutant(
        "ownership", "WritesOthers", "Breaks CC-031: writes entries\n    of others; CHK-180 must catch it."
    )

    assert (mutant.family, mutant.row, mutant.wrong, mutant.named) == (
        "ownership",
        "CC-031",
        "writes entries of others",
        "CHK-180",
    )


def test_a_right_controller_breaks_nothing():
    assert read_mutant("economy", "Applies", "Right as well: writes by apply (CC-039).") == []


@pytest.mark.parametrize(
    "docstring",
    [
        pytest.param("", id="none"),
        pytest.param("Breaks CC-031: writes entries of others.", id="without a scenario"),
        pytest.param("Breaks XX-31: writes entries of others; CHK-180 must catch it.", id="no row"),
        pytest.param("Breaks CC-031: writes entries of others; ADM-180 must catch it.", id="another profile"),
        pytest.param("Writes entries of others; CHK-180 must catch it.", id="no row at all"),
    ],
)
def test_a_docstring_that_cannot_be_read_is_refused(docstring):
    with pytest.raises(ValueError, match=r"zoo/ownership\.py: WritesOthers says neither what it breaks"):
        read_mutant("ownership", "WritesOthers", docstring)
