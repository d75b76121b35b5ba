"""JSON merge patch against the algorithm of RFC 7386 (FK-164)."""

from hypothesis import given
from hypothesis import strategies as st

from fakecluster.patch.json import merge_patch

from .writes import LAWS

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from("abc"),
    lambda inside: st.dictionaries(st.sampled_from("abc"), inside, max_size=3) | st.lists(inside, max_size=3),
    max_leaves=8,
)


def of_the_document(target, patch):
    """The pseudo-code of section 2, line by line."""
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            target.pop(name, None)
        else:
            target[name] = of_the_document(target.get(name), value)
    return target


@LAWS
@given(JSON, JSON)
def test_fk_164_agrees_with_the_algorithm(target, patch):
    assert merge_patch.apply(target, patch) == of_the_document(target, patch)


@LAWS
@given(JSON, JSON)
def test_fk_164_changes_neither_argument(target, patch):
    before = repr((target, patch))

    merge_patch.apply(target, patch)

    assert repr((target, patch)) == before
