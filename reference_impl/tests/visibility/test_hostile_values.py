"""Values that a client may send in a head of 64 KiB: none costs more than reading it, none ends in a bug."""

import time

import pytest

from reference_impl.kueue.visibility.delegated.identity import extra_of
from reference_impl.kueue.visibility.negotiation import Accept
from reference_impl.kueue.visibility.url import Url

from .doubles import CQ, Server

MUCH_SECONDS = 1.0
"""Of processor time: what costs more than its length took ten times as long."""


def seconds_of(work):
    began = time.process_time()
    work()
    return time.process_time() - began


@pytest.mark.parametrize(
    "accept",
    [
        pytest.param("*/*," * 8000 + "a/b," * 7000, id="every clause goes before half of the others"),
        pytest.param(",".join(f"a/b;q=0.{n:04}" for n in range(4600)), id="rising quality"),
    ],
)
def test_clauses_are_sorted_without_comparing_each_with_each(accept):
    assert seconds_of(lambda: Accept.of(accept, "", Url.of("/"))) < MUCH_SECONDS


def test_the_best_of_many_clauses_is_taken():
    accept = "text/html;q=0.5," * 20 + "application/yaml;q=0.1,application/json;q=0.2"

    assert Accept.of(accept, "", Url.of("/")).agree().format.value == "application/json"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        pytest.param(f"limit={'0' * 5000}1", 200, id="VIS-126 limit"),
        pytest.param(f"offset=-{'0' * 5000}", 200, id="VIS-124 offset"),
        pytest.param(f"limit={'9' * 5000}", 400, id="VIS-127"),
        pytest.param(f"timeout={'0' * 5000}9s", 200, id="VIS-131 timeout"),
        pytest.param(f"timeout=0.{'0' * 5000}s", 200, id="VIS-131 fraction"),
    ],
)
def test_thousands_of_digits(query, code):
    assert Server().ask(f"{CQ}?{query}").code == code


def test_thousands_of_values_of_one_key():
    headers = tuple(("x-remote-extra-a", str(n)) for n in range(60_000))

    assert seconds_of(lambda: extra_of(headers, ("x-remote-extra-",))) < MUCH_SECONDS
    assert extra_of(headers[:3], ("x-remote-extra-",)) == (("a", ("0", "1", "2")),)


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("limit=" + "0" * 60_000 + "x", id="zeros and a letter"),
        pytest.param("timeout=" + "1." * 30_000 + "x", id="a duration of many parts"),
        pytest.param("a" * 60_000, id="letters that could begin an address"),
        pytest.param("%" * 60_000, id="escapes of nothing"),
    ],
)
def test_a_query_of_one_long_word_costs_what_it_takes_to_read_it(query):
    server = Server()

    assert seconds_of(lambda: server.ask(f"{CQ}?{query}")) < MUCH_SECONDS


def test_an_address_in_a_query_is_a_value():
    assert Url.of("/a?b=https://c/d?e").pairs == (("b", "https://c/d?e"),)
    assert Url.of("https://host:1/a?b=c").path == "/a"
