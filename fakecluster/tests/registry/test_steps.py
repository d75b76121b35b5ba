"""Steps: what they wait for comes out, the answers go in, and none of them is forgotten (design.md §5)."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path

import pytest

import fakecluster
from fakecluster.api.outcome import Call, CallResult
from fakecluster.api.steps import Pending, begin, rest
from fakecluster.base.clock import VirtualClock
from fakecluster.server.waits import Waits
from fakecluster.store import Store

ROOT = Path(fakecluster.__file__).parent
ONE, OTHER = (Call(method="POST", url=f"https://{name}.example.com", timeout=1) for name in ("one", "other"))


def asking(*rounds):
    """Steps that make some calls in each round and return the bodies that came."""
    found = []
    for calls in rounds:
        found += [one.body for one in (yield calls)]
    return found


def answer(call):
    return CallResult(code=200, body=call.url.encode())


def test_steps_that_wait_for_nothing_are_done_at_once():
    assert begin(asking()) == []


def test_what_steps_wait_for_comes_out_and_the_answers_go_in():
    waits = begin(asking((ONE, OTHER), (OTHER,)))
    assert isinstance(waits, Pending)
    again = waits.resume((answer(ONE), answer(OTHER)))

    assert (waits.wait, again.wait) == ((ONE, OTHER), (OTHER,))
    assert again.resume((answer(OTHER),)) == [b"https://one.example.com", *[b"https://other.example.com"] * 2]


def test_the_rest_of_steps_that_have_begun_is_steps_again():
    left = rest(begin(asking((ONE,), (OTHER,))))

    assert next(left) == (ONE,)
    assert left.send((answer(ONE),)) == (OTHER,)
    with pytest.raises(StopIteration) as done:
        left.send((answer(OTHER),))
    assert done.value.value == [b"https://one.example.com", b"https://other.example.com"]


def test_steps_that_are_given_up_clean_up():
    cleaned = []

    def steps():
        try:
            yield (ONE,)
        finally:
            cleaned.append(True)

    left = rest(begin(steps()))
    next(left)
    left.close()

    assert cleaned == [True]


def test_calls_of_one_wait_are_made_at_the_same_time():
    async def play():
        both = asyncio.Barrier(2)

        async def perform(call):
            await both.wait()
            return answer(call)

        return await Waits(perform, Store(), VirtualClock(0.0)).finish(asking((ONE, OTHER)))

    assert asyncio.run(play()) == [b"https://one.example.com", b"https://other.example.com"]


def test_a_failure_of_steps_is_raised_where_they_are_finished():
    def steps():
        yield (ONE,)
        raise LookupError

    async def perform(call):
        return answer(call)

    with pytest.raises(LookupError):
        asyncio.run(Waits(perform, Store(), VirtualClock(0.0)).finish(steps()))


def trees():
    files = [one for one in ROOT.rglob("*.py") if "tests" not in one.relative_to(ROOT).parts]
    return {one.relative_to(ROOT): ast.parse(one.read_text()) for one in files}


def steps_of(body):
    """The names of the functions in a body that return steps."""
    returns = {one.name: one.returns for one in body if isinstance(one, ast.FunctionDef) and one.returns}
    return {name for name, found in returns.items() if ast.unparse(found).startswith("Steps[")}


def dropped(tree):
    """The calls that make steps of the same class or module, or of an actor, and drop them."""
    for outer in ast.walk(tree):
        if not isinstance(outer, ast.ClassDef | ast.Module):
            continue
        prefix = "self." if isinstance(outer, ast.ClassDef) else ""
        known = {f"{prefix}{name}" for name in steps_of(outer.body)}
        for node in ast.walk(outer):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                called = ast.unparse(node.value.func)
                if called in known or called.rpartition(".")[0] in {"self._actor", "self._recorder"}:
                    yield node.lineno, called


def test_no_steps_are_made_and_dropped():
    """A call of a generator function as a statement does nothing, which a type checker does not see."""
    files = [one for one in ROOT.rglob("*.py") if "tests" not in one.relative_to(ROOT).parts]
    found = {str(one.relative_to(ROOT)): [*dropped(ast.parse(one.read_text()))] for one in files}

    assert {name: calls for name, calls in found.items() if calls} == {}
