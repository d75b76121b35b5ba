"""Targets, numbers and durations as Go reads them (VIS-113…116, VIS-120…131, VC-01…08)."""

from __future__ import annotations

import pytest

from reference_impl.api.duration import DurationError, nanoseconds
from reference_impl.api.quoting import go_quote
from reference_impl.kueue.visibility.options import PendingWorkloadOptions
from reference_impl.kueue.visibility.status import StatusError
from reference_impl.kueue.visibility.url import Url, UrlError


class TestUrl:
    @pytest.mark.parametrize(
        ("target", "path"),
        [
            ("/a%2Fb", "/a/b"),
            ("/a+b", "/a+b"),
            ("https://host:1/a?x", "/a"),
            ("/%C3%A9", "/é"),
            ("/%ff", "/\udcff"),
        ],
    )
    def test_path(self, target, path):
        assert Url.of(target).path == path

    @pytest.mark.parametrize("target", ["/%zz", "/%f", "no-slash", "*", "/a\x7f"])
    def test_no_url(self, target):
        with pytest.raises(UrlError):
            Url.of(target)

    def test_slashes_at_the_ends_do_not_count_vc_07(self):
        assert Url.of("//a//b//").segments == ("a", "", "b")

    def test_bad_pairs_are_dropped_alone_vc_02(self):
        url = Url.of("/?a=1;b=2&c=%zz&%zz=1&d=%2B+&e&=f&d=2")

        assert url.pairs == (("d", "+ "), ("e", ""), ("", "f"), ("d", "2"))
        assert (url.first("d"), url.all_of("d"), url.first("x")) == ("+ ", ("+ ", "2"), None)


def options(query):
    return PendingWorkloadOptions.of(Url.of(f"/?{query}"))


class TestOptions:
    @pytest.mark.parametrize(
        ("query", "offset", "limit"),
        [
            ("", 0, 1000),
            ("limit=0", 0, 1000),
            ("limit=-0", 0, 1000),
            ("limit=-9223372036854775808", 0, 0),
            ("limit=9223372036854775807", 0, 100_000),
            ("limit=000000000000000000000000007", 0, 7),
            ("offset=-3&limit=%2B2", 0, 2),
            ("offset=9223372036854775807", 2**63 - 1, 1000),
            ("Limit=1", 0, 1000),
            ("limit=1&limit=3", 0, 1),
        ],
    )
    def test_page(self, query, offset, limit):
        assert options(query) == PendingWorkloadOptions(offset, limit)

    @pytest.mark.parametrize(
        ("query", "message"),
        [
            ("limit=abc", 'strconv.ParseInt: parsing "abc": invalid syntax'),
            ("limit=+1", 'strconv.ParseInt: parsing " 1": invalid syntax'),
            ("limit", 'strconv.ParseInt: parsing "": invalid syntax'),
            ("limit=1_0", 'strconv.ParseInt: parsing "1_0": invalid syntax'),
            ("limit=%D9%A1", 'strconv.ParseInt: parsing "١": invalid syntax'),
            ("limit=1%00", 'strconv.ParseInt: parsing "1\\x00": invalid syntax'),
            ("limit=1%0A", 'strconv.ParseInt: parsing "1\\n": invalid syntax'),
            (
                "limit=9223372036854775808",
                'strconv.ParseInt: parsing "9223372036854775808": value out of range',
            ),
            (
                "offset=-9223372036854775809",
                'strconv.ParseInt: parsing "-9223372036854775809": value out of range',
            ),
            (f"limit={'9' * 5000}", f'strconv.ParseInt: parsing "{"9" * 5000}": value out of range'),
            ("limit=x&offset=y", 'strconv.ParseInt: parsing "y": invalid syntax'),
        ],
        ids=range(11),
    )
    def test_no_number(self, query, message):
        with pytest.raises(StatusError) as caught:
            options(query)

        assert (caught.value.code, caught.value.message, caught.value.details) == (400, message, None)


class TestDurations:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("1h2m0.5s", 3_720_500_000_000),
            ("-1s", -(10**9)),
            ("+.5us", 500),
            ("0", 0),
            ("1.s", 10**9),
            ("3µs", 3000),
        ],
    )
    def test_read(self, text, expected):
        assert nanoseconds(text) == expected

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("abc", 'time: invalid duration "abc"'),
            ("", 'time: invalid duration ""'),
            ("10", 'time: missing unit in duration "10"'),
            ("1x", 'time: unknown unit "x" in duration "1x"'),
            ("é", 'time: invalid duration "\\xc3\\xa9"'),
            ("9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'),
            (f"{'9' * 5000}ns", f'time: invalid duration "{"9" * 5000}ns"'),
        ],
        ids=range(7),
    )
    def test_refused(self, text, message):
        with pytest.raises(DurationError) as caught:
            nanoseconds(text)

        assert str(caught.value) == message


def test_quoting_of_bytes_and_runes():
    assert go_quote('a"\\\n\x00\udcff\u00a0\U000e0001é') == '"a\\"\\\\\\n\\x00\\xff\\u00a0\\U000e0001é"'
