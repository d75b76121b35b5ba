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
    bodies = []
    for calls in rounds:
        bodies += [path.body for path in (yield calls)]
    return bodies


def answer(call):
    return CallResult(code=200, body=call.url.encode())


def test_steps_that_wait_for_nothing_are_done_at_once():
    assert begin(asking()) == []


def test_what_steps_wait_for_comes_out_and_the_answers_go_in():
    waits = begin(asking((ONE, OTHER), (OTHER,)))
    assert isinstance(waits, Pending)
    resumed = waits.resume((answer(ONE), answer(OTHER)))

    assert (waits.wait, resumed.wait) == ((ONE, OTHER), (OTHER,))
    assert resumed.resume((answer(OTHER),)) == [
        b"https://one.example.com",
        *[b"https://other.example.com"] * 2,
    ]


def test_the_rest_of_steps_that_have_begun_is_steps_again():
    rest_of_calls = rest(begin(asking((ONE,), (OTHER,))))

    assert next(rest_of_calls) == (ONE,)
    assert rest_of_calls.send((answer(ONE),)) == (OTHER,)
    with pytest.raises(StopIteration) as done:
        rest_of_calls.send((answer(OTHER),))
    assert done.value.value == [b"https://one.example.com", b"https://other.example.com"]


def test_steps_that_are_given_up_clean_up():
    cleaned = []

    def steps():
        try:
            yield (ONE,)
        finally:
            cleaned.append(True)

    rest_of_calls = rest(begin(steps()))
    next(rest_of_calls)
    rest_of_calls.close()

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
    files = [path for path in ROOT.rglob("*.py") if "tests" not in path.relative_to(ROOT).parts]
    return {path.relative_to(ROOT): ast.parse(path.read_text()) for path in files}


def steps_of(body):
    """The names of the functions in a body that return steps."""
    returns = {path.name: path.returns for path in body if isinstance(path, ast.FunctionDef) and path.returns}
    return {name for name, bodies in returns.items() if ast.unparse(bodies).startswith("Steps[")}


def dropped_calls(tree):
    """The calls that make steps of the same class or module, or of an actor, and drop them."""
    for outer in ast.walk(tree):
        if not isinstance(outer, ast.ClassDef | ast.Module):
            continue
        prefix = "self." if isinstance(outer, ast.ClassDef) else ""
        names = {f"{prefix}{name}" for name in steps_of(outer.body)}
        for node in ast.walk(outer):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                called = ast.unparse(node.value.func)
                if called in names or called.rpartition(".")[0] in {"self._actor", "self._recorder"}:
                    yield node.lineno, called


def test_no_steps_are_made_and_dropped():
    """A call of a generator function as a statement does nothing, which a type checker does not see."""
    files = [path for path in ROOT.rglob("*.py") if "tests" not in path.relative_to(ROOT).parts]
    bodies = {str(path.relative_to(ROOT)): [*dropped_calls(ast.parse(path.read_text()))] for path in files}

    assert {name: calls for name, calls in bodies.items() if calls} == {}
