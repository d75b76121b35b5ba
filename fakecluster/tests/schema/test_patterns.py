"""Go's regular expressions (FK-265, P-KIND); all expectations are those of Go."""

import subprocess
import sys

import pytest

from fakecluster.schema.patterns import compile_pattern, copies, pattern_problem


@pytest.mark.parametrize(
    ("pattern", "fits", "fails"),
    [
        pytest.param("^(?i)[a-z]([-a-z0-9]*[a-z0-9])?$", "AbC", "-A", id="flag after the anchor"),
        pytest.param("^a$", "a", "a\n", id="the end is the end"),
        pytest.param(r"^\d+$", "1", "٣", id="ascii digits"),
        pytest.param(r"^\s$", " ", "\v", id="no vertical tab"),
        pytest.param(r"^[\S]$", "x", " ", id="inverted in a class"),
        pytest.param("[[:alpha:]]", "x", "1", id="posix"),
        pytest.param("a{,2}b", "a{,2}b", "aab", id="braces without a minimum are text"),
        pytest.param(r"^\pL+$", "äb", "1", id="unicode"),
        pytest.param("(?m)^b$", "a\nb", "ab", id="lines"),
        pytest.param("^[^]a]$", "b", "a", id="bracket first"),
        pytest.param(r"\Qa.b\E", "a.b", "axb", id="quoted"),
        pytest.param(r"^\x{41}$", "A", "B", id="code point"),
        pytest.param("(?i)ab(?-i)C", "ABC", "abc", id="flag taken back"),
        pytest.param("^[a-z.-]$", "-", "_", id="dash last"),
        pytest.param("^[a-z]+([-.][a-z]+)*$", "a-b.c", "a-.c", id="name"),
        pytest.param("^a*b*$", "ab", "ab\n", id="the very end"),
        pytest.param("^é+ü*$", "éé", "e", id="not ASCII"),
        pytest.param(r'^"+\\+$', '""\\\\', '"', id="quotes"),
        pytest.param(r"^\p{Greek}$", "α", "a", id="script"),
        pytest.param("(?U)^a+?$", "aa", "b", id="lazy by flag"),
    ],
)
def test_a_pattern_means_what_go_means(pattern, fits, fails):
    assert compile_pattern(pattern).search(fits)
    assert not compile_pattern(pattern).search(fails)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        pytest.param("([", "missing closing ]: `[`", id="class"),
        pytest.param("(a", "missing closing ): `(a`", id="group"),
        pytest.param("a)", "unexpected ): `a)`", id="close"),
        pytest.param("*a", "missing argument to repetition operator: `*`", id="nothing to repeat"),
        pytest.param("a*+", "invalid nested repetition operator: `*+`", id="possessive"),
        pytest.param("a{3,2}", "invalid repeat count: `{3,2}`", id="count"),
        pytest.param("[b-a]", "invalid character class range: `b-a`", id="range"),
        pytest.param(r"\1", r"invalid escape sequence: `\1`", id="back reference"),
        pytest.param("(?=a)b", "invalid or unsupported Perl syntax: `(?=`", id="look-ahead"),
        pytest.param("(?<!a)b", "invalid named capture: `(?<!a)b`", id="look-behind"),
        pytest.param("(?i-)a", "invalid or unsupported Perl syntax: `(?i-)`", id="flags"),
        pytest.param(r"a\C", r"invalid escape sequence: `\C`", id="single byte"),
        pytest.param(r"\x{110000}", r"invalid escape sequence: `\x{110000`", id="no character"),
        pytest.param("(?P<n-a>x)", "invalid named capture: `(?P<n-a>`", id="name of a group"),
        pytest.param("\\", "trailing backslash at end of expression: ``", id="backslash"),
    ],
)
def test_what_go_refuses_is_refused_in_its_words(pattern, message):
    assert pattern_problem(pattern) == f"error parsing regexp: {message}"


def test_the_engine_of_patterns_is_loaded_with_the_first_pattern():
    program = "import sys, fakecluster.cluster.fake_cluster, fakecluster.cli; print('re2' in sys.modules)"

    completed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )

    assert completed.stdout == "False\n"


@pytest.mark.parametrize(
    ("pattern", "size"),
    [
        pytest.param("a{100}", 99, id="of a character"),
        pytest.param("[a-z]{2,5}", 4, id="up to"),
        pytest.param("a{3,}", 2, id="at least"),
        pytest.param("(a{100}b){10}", 1008, id="of copies"),
        pytest.param("((a{10}){10}){10}", 999, id="of copies of copies"),
        pytest.param("a{3}|b{4}", 5, id="in branches"),
        pytest.param(r"\Qa{9}\E{3}", 2, id="of quoted text"),
        pytest.param(r"\{5}", 0, id="of a brace"),
        pytest.param("((a{3}", 2, id="in groups without end"),
    ],
)
def test_copies_that_repetitions_make_are_counted(pattern, size):
    assert copies(pattern) == size


def test_too_many_copies_are_not_made(monkeypatch):
    import re2

    monkeypatch.setattr(re2, "compile", lambda *_: pytest.fail("the copies were made"))

    assert pattern_problem("(a{100}b){10}" * 500).startswith("error parsing regexp: expression too large: ")
