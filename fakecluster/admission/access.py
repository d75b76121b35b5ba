"""What conditions may ask about access: the functions of `authorizer` in CEL (FK-303).

A function of the engine sees plain values only. So `authorizer` is a map that collects what is asked for, and who decides is
known while a condition is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from ..api.outcome import User
from ..schema.cel.libraries import Overload

Json = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody may or may not do: a verb on a resource, or on a path when `path` is set."""

    user: User
    verb: str
    group: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    path: str = ""


Decide = Callable[[Wish], tuple[bool, str]]
"""Whether a wish is allowed, and why."""
ASKED = ("group", "resource", "subresource", "namespace", "name", "path")
_DECIDING: ContextVar[Decide] = ContextVar("deciding")


@contextmanager
def deciding(decide: Decide) -> Iterator[None]:
    """Let conditions ask about access meanwhile."""
    token = _DECIDING.set(decide)
    try:
        yield
    finally:
        _DECIDING.reset(token)


def authorizer(user: User, **asked: str) -> Json:
    """Return the value of `authorizer` for a user; `asked` is what `requestResource` has settled already."""
    extra = {key: list(values) for key, values in user.extra.items()}
    return {
        "user": {"name": user.name, "groups": list(user.groups), "uid": user.uid, "extra": extra},
        **asked,
    }


def _settling(member: str) -> tuple[Overload, ...]:
    return (("object.(string) -> object", lambda one, text: {**one, member: text}),)


def _account(one: Json, namespace: str, name: str) -> Json:
    groups = ["system:serviceaccounts", f"system:serviceaccounts:{namespace}", "system:authenticated"]
    user = {"name": f"system:serviceaccount:{namespace}:{name}", "groups": groups, "uid": "", "extra": {}}
    return {**one, "user": user}


def _check(one: Json, verb: str) -> Json:
    who = one["user"]
    extra = {key: tuple(values) for key, values in who["extra"].items()}
    user = User(name=who["name"], groups=tuple(who["groups"]), uid=who["uid"], extra=extra)
    wish = Wish(user=user, verb=verb, **{name: one[name] for name in ASKED if name in one})
    allowed, reason = _DECIDING.get()(wish)
    return {"decision": {"allowed": allowed, "reason": reason}}


FUNCTIONS: Mapping[str, tuple[Overload, ...]] = {
    **{name: _settling(name) for name in ASKED},
    "fieldSelector": (("object.(string) -> object", lambda one, _: one),),
    "labelSelector": (("object.(string) -> object", lambda one, _: one),),
    "serviceAccount": (("object.(string, string) -> object", _account),),
    "check": (("object.(string) -> object", _check),),
    "allowed": (("object.() -> bool", lambda one: one["decision"]["allowed"]),),
    "reason": (("object.() -> string", lambda one: one["decision"]["reason"]),),
    "errored": (("object.() -> bool", lambda _: False),),
    "error": (("object.() -> string", lambda _: ""),),
}
