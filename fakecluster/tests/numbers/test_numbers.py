"""Numbers in text are read by Go's rules, within bounds,
in a moment (FK-014, FK-028, FK-138, FK-275, FK-477).
"""

import orjson
import pytest

from fakecluster.base.numbers import durations, integers
from fakecluster.kinds.batch import completion_indexes
from fakecluster.patch.managed_fields import paths
from fakecluster.registry.selection import labelparser
from fakecluster.schema.cel.library import netip, quantities, semver
from fakecluster.tests.properties.writes import World

DIGITS = "9" * 5000
MAPS, LEASES = (
    "/api/v1/namespaces/default/configmaps",
    "/apis/coordination.k8s.io/v1/namespaces/default/leases",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("9223372036854775807", 2**63 - 1, id="most"),
        pytest.param("-9223372036854775808", -(2**63), id="least"),
        pytest.param("+5", 5, id="plus"),
        pytest.param("0" * 5000 + "7", 7, id="zeros"),
        pytest.param("9223372036854775808", "value out of range", id="above"),
        pytest.param(DIGITS, "value out of range", id="digits"),
        pytest.param(DIGITS + "x", "value out of range", id="digits before a letter"),
        pytest.param("9223372036854775808x", "invalid syntax", id="a letter within 64 bits"),
        pytest.param("", "invalid syntax", id="nothing"),
        pytest.param("-", "invalid syntax", id="sign"),
        pytest.param("1_0", "invalid syntax", id="underline"),
        pytest.param(" 1", "invalid syntax", id="blank"),
        pytest.param("\u00b2", "invalid syntax", id="superscript"),
        pytest.param("\u0663", "invalid syntax", id="digit of another script"),
        pytest.param("0x10", "invalid syntax", id="hexadecimal"),
    ],
)
def test_a_signed_number_of_64_bits(text, expected):
    try:
        number = integers.parse_int(text)
    except integers.NumberError as error:
        number = str(error).rpartition(": ")[2]

    assert number == expected


@pytest.mark.parametrize(
    "text", ["-1", "+1", "18446744073709551616", DIGITS], ids=["minus", "plus", "above", "digits"]
)
def test_an_unsigned_number_has_no_sign_and_64_bits(text):
    with pytest.raises(integers.NumberError, match=r"^strconv.ParseUint: parsing "):
        integers.parse_uint(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("1h2m0.5s", 3_720_500_000_000, id="parts"),
        pytest.param("-1.5h", -5_400_000_000_000, id="minus"),
        pytest.param("9223372036854775807ns", 2**63 - 1, id="most"),
        pytest.param("-9223372036854775808ns", -(2**63), id="least"),
        pytest.param("0." + "3" * 5000 + "s", 333_333_333, id="fraction"),
        pytest.param(DIGITS + "s", "invalid duration", id="digits"),
        pytest.param("1h" + DIGITS, "invalid duration", id="digits without a unit"),
        pytest.param("2562048h", "invalid duration", id="too long"),
        pytest.param("1h1e9", 'unknown unit "e" in duration', id="exponent"),
        pytest.param("5", "missing unit in duration", id="no unit at all"),
        pytest.param("5\u00b2", 'unknown unit "\\xc2\\xb2" in duration', id="superscript"),
        pytest.param(".s", "invalid duration", id="no digit"),
    ],
)
def test_a_duration(text, expected):
    try:
        number = durations.nanoseconds(text)
    except durations.DurationError as error:
        number = str(error).rpartition(" ")[0]

    assert number == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(5, 5.0), (-1, -1.0), (2**63 - 1, -1.0), (2**62, 0.0)],
    ids=["few", "minus", "most", "half"],
)
def test_seconds_wrap_around_in_64_bits_of_nanoseconds(seconds, expected):
    assert durations.wrap_to_64_bits(seconds) == expected


def test_indexes_of_a_job_are_compared_by_ranges():
    wide = "0-2000000000"

    assert completion_indexes.overlap(wide, "5,1999999999", 2**31 - 1).endswith("overlap at index: 5")
    assert completion_indexes.overlap("0-1000000000", "1000000001-2000000000", 2**31 - 1) == ""


def test_a_billion_indexes_are_a_range():
    wide = completion_indexes.parse("0-999999998,1000000001-2000000000", 1_500_000_000)

    assert wide.total == 1_499_999_998
    assert [999_999_998 in wide, 999_999_999 in wide, 1_499_999_999 in wide] == [True, False, True]
    assert list(wide.free(1_500_000_000)) == [999_999_999, 1_000_000_000]
    assert str(wide | completion_indexes.of([999_999_999])) == "0-999999999,1000000001-1499999999"
    assert (wide & completion_indexes.parse("5,7-9,999999999", 2**31)).total == 4
    assert str(completion_indexes.of([3, 1, 2, 6, 7, 9])) == "1-3,6,7,9"


def test_quantities_in_rules_are_those_of_the_api():
    huge, small = quantities.quantity("1e1000000"), quantities.quantity("1000m")

    assert quantities.compare(huge, small) == 1
    assert quantities.compare(quantities.add(huge, small), huge) == 1
    assert small == quantities.quantity("1")
    assert quantities.is_quantity(DIGITS + "Ki")
    assert not quantities.is_quantity("1e99999999999999999999")


def test_parts_of_a_semantic_version_have_64_bits():
    assert [semver.is_semver(f"{text}.0.0") for text in ("1", "18446744073709551615", DIGITS)] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param(DIGITS, "value out of range", id="digits"),
        pytest.param("1_0", "invalid syntax", id="underline"),
        pytest.param("+1", "invalid syntax", id="sign"),
    ],
)
@pytest.mark.parametrize(
    ("method", "url", "is_created", "kind", "code"),
    [
        pytest.param("GET", f"{MAPS}?resourceVersion={{}}", None, "", 400, id="list"),
        pytest.param("GET", f"{MAPS}?watch=1&resourceVersion={{}}", None, "", 500, id="watch"),
        pytest.param(
            "PUT",
            f"{LEASES}/new",
            "coordination.k8s.io/v1 Lease",
            "application/json",
            500,
            id="update that creates",
        ),
        pytest.param(
            "PATCH",
            f"{MAPS}/new?fieldManager=m",
            "v1 ConfigMap",
            "application/apply-patch+yaml",
            500,
            id="apply that creates",
        ),
    ],
)
def test_a_resource_version_is_a_number_of_64_bits_wherever_it_is_read(
    text, why, method, url, is_created, kind, code
):
    version, _, name = (is_created or "").partition(" ")
    body = {"apiVersion": version, "kind": name, "metadata": {"name": "new", "resourceVersion": text}}

    answer = World.fresh().ask(
        method, url.format(text.replace("+", "%2B")), body if is_created else None, kind
    )

    assert answer.code == code
    assert orjson.loads(answer.body)["message"].endswith(f'strconv.ParseUint: parsing "{text}": {why}')


@pytest.mark.parametrize("text", [DIGITS, "1_0", "+ 1"], ids=["digits", "underline", "blank"])
def test_an_index_in_the_owners_of_fields_has_64_bits(text):
    with pytest.raises(ValueError, match=r"^strconv.ParseInt: "):
        paths.canonical(f"i:{text}")


@pytest.mark.parametrize("bits", ["33", DIGITS], ids=["one too many", "digits"])
def test_a_network_has_no_more_bits_than_its_address(bits):
    assert netip.network_problem(f"10.0.0.0/{bits}").endswith("): prefix length out of range")


@pytest.mark.parametrize("number", ["9" * 20, DIGITS, "1_0"], ids=["20 digits", "digits", "underline"])
def test_a_label_that_is_no_number_of_64_bits_is_neither_greater_nor_less(number):
    assert [labelparser.OPERATOR_TESTS[small](number, frozenset({"5"})) for small in ("gt", "lt")] == [
        False,
        False,
    ]
