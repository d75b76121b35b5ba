"""The functions of `authorizer`: what a rule may ask about access (FK-303).

A function of the engine sees plain values only. So `authorizer` is a map that collects what is asked for, and
who decides is known while a rule is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from ....base.json_types import Json
from .functions import Overload

Decide = Callable[[Mapping[str, Json]], tuple[bool, str]]
"""Whether what was collected is allowed, and why: `user`, `verb`, and what of CHECK_FIELDS was said."""
CHECK_FIELDS = ("group", "resource", "subresource", "namespace", "name", "path")
_DECIDING: ContextVar[Decide] = ContextVar("deciding")


@contextmanager
def deciding(decide: Decide) -> Iterator[None]:
    """Let rules ask about access meanwhile."""
    token = _DECIDING.set(decide)
    try:
        yield
    finally:
        _DECIDING.reset(token)


def _settling(member: str) -> tuple[Overload, ...]:
    return (("object.(string) -> object", lambda check, text: {**check, member: text}),)


def _account(check: Json, namespace: str, name: str) -> Json:
    # The groups that every service account has.
    groups = ["system:serviceaccounts", f"system:serviceaccounts:{namespace}", "system:authenticated"]
    return {**check, "user": {"username": f"system:serviceaccount:{namespace}:{name}", "groups": groups}}


def _check(check: Json, verb: str) -> Json:
    allowed, reason = _DECIDING.get()({**check, "verb": verb})
    return {"allowed": allowed, "reason": reason}


FUNCTIONS: Mapping[str, tuple[Overload, ...]] = {
    **{name: _settling(name) for name in CHECK_FIELDS},
    # Selectors are accepted and change no decision: rules of roles do not look at them.
    **dict.fromkeys(
        ("fieldSelector", "labelSelector"), (("object.(string) -> object", lambda check, _: check),)
    ),
    "serviceAccount": (("object.(string, string) -> object", _account),),
    "check": (("object.(string) -> object", _check),),
    "allowed": (("object.() -> bool", lambda check: check["allowed"]),),
    "reason": (("object.() -> string", lambda check: check["reason"]),),
    "errored": (("object.() -> bool", lambda _: False),),
    "error": (("object.() -> string", lambda _: ""),),
}
