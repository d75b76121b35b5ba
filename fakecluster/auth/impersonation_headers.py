"""The user that the headers of impersonation ask for (FK-400)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from msgspec import Struct, field

from ..api import status
from ..kinds.validation import basics
from ..meta import names
from ..schema.fields import go_quote
from .authorization.access import NO_SNIFF
from .authorization.subjects import SERVICE_ACCOUNT

PREFIX = "impersonate-"
EXTRA_PREFIX = "impersonate-extra-"
NODE_USER_PREFIX = "system:node:"
Headers = tuple[tuple[str, str], ...]


class ImpersonatedUser(Struct, frozen=True, kw_only=True):
    """A user as a client describes it, before anything is filled in."""

    name: str = ""
    uid: str = ""
    groups: tuple[str, ...] = ()
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def only_named(self) -> bool:
        """Whether nothing but the name was given."""
        return not (self.uid or self.groups or self.extra)

    @property
    def service_account(self) -> tuple[str, str] | None:
        """(namespace, name) when it is a service account's name."""
        return account_of(self.name)

    @property
    def node(self) -> str:
        """The node when it is a node's name."""
        name = self.name.removeprefix(NODE_USER_PREFIX)
        # A name that is no node name may still be a user's.
        return name if name != self.name and not names.subdomain_problems(name) else ""

    @property
    def extra_problem(self) -> str:
        """Why the extra fields are refused to users with constrained rights only; empty when they are not."""
        return next((why for key, values in self.extra.items() for why in _extra_problems(key, values)), "")


def account_of(name: str) -> tuple[str, str] | None:
    """Return (namespace, name) of a service account's user name."""
    segments = name.removeprefix(SERVICE_ACCOUNT).split(":")
    if not name.startswith(SERVICE_ACCOUNT) or len(segments) != 2:
        return None
    if names.label_problems(segments[0]) or names.subdomain_problems(segments[1]):
        return None
    return segments[0], segments[1]


def read_impersonation(headers: Headers) -> ImpersonatedUser | None:
    """Read the headers; None when no user is impersonated. Raises 400 for a user without a name."""
    impersonation_headers = [(key, value) for key, value in headers if key.startswith(PREFIX)]
    if not impersonation_headers:
        return None
    extra: dict[str, list[str]] = {}
    for key, value in impersonation_headers:
        if key.startswith(EXTRA_PREFIX):
            # Keys are escaped, since header names know fewer characters; several headers are several values.
            extra.setdefault(unquote(key.removeprefix(EXTRA_PREFIX)), []).append(value)
    impersonated = ImpersonatedUser(
        name=_first(impersonation_headers, "impersonate-user"),
        uid=_first(impersonation_headers, "impersonate-uid"),
        groups=tuple(value for key, value in impersonation_headers if key == "impersonate-group"),
        extra={name: tuple(values) for name, values in extra.items()},
    )
    if impersonated.name:
        return impersonated
    # A header without a value is as good as none.
    if impersonated.only_named:
        return None
    refusal = status.bad_request(f"requested {_print_user(impersonated)} without impersonating a user name")
    raise status.StatusError(refusal.status, NO_SNIFF)


def _first(impersonation_headers: list[tuple[str, str]], name: str) -> str:
    return next((value for key, value in impersonation_headers if key == name), "")


def _print_user(impersonated: ImpersonatedUser) -> str:
    """Return what was asked for as Go prints it."""
    groups = _strings(impersonated.groups) if impersonated.groups else "[]string(nil)"
    entries = ", ".join(
        f"{go_quote(key)}:{_strings(values)}" for key, values in sorted(impersonated.extra.items())
    )
    extra = f"map[string][]string{{{entries}}}" if entries else "map[string][]string(nil)"
    return f'&user.DefaultInfo{{Name:"", UID:{go_quote(impersonated.uid)}, Groups:{groups}, Extra:{extra}}}'


def _strings(values: tuple[str, ...]) -> str:
    return f"[]string{{{', '.join(map(go_quote, values))}}}"


def _extra_problems(key: str, values: tuple[str, ...]) -> Iterator[str]:
    if not key:
        yield "impersonating the empty string key in extra is not allowed"
    problems = [str(problem) for problem in basics.domain_path(key, "extra.key")]
    if problems:
        problem_text = problems[0] if len(problems) == 1 else f"[{', '.join(problems)}]"
        yield f"impersonating an invalid key in extra is not allowed: {problem_text}"
    if key != key.lower():
        yield f"impersonating a non-lowercase key in extra is not allowed: {go_quote(key)}"
    if "" in values:
        yield "impersonating the empty string value in extra is not allowed"
