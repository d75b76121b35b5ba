"""The options of a cluster, and what each default means.

An unknown word is an error, never a default: a misspelt `authorization` must not allow everything.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, Protocol, Self, TypedDict, get_args

from msgspec import UNSET, Struct, UnsetType, field

from .. import controllers as own_controllers
from ..api.converter import Convert
from ..api.outcome import User
from ..api.service_address import parse_addresses
from ..auth.certificates import Certificates
from ..auth.issuers import Issuers
from ..auth.security import REVISION_WAIT_SECONDS, Authorization, Settings
from ..base.clock import Clock
from ..base.validators import expected, is_number, is_whole
from ..controllers.pods import scripts
from ..server.http.hosts import Hosts
from ..server.outgoing.allowed_networks import Reach, ReachError
from ..server.outgoing.local_functions import LocalFunctions

ClockName = Literal["virtual", "wall", "hybrid"]
CHOICES: Mapping[str, tuple[str, ...]] = {
    "clock": get_args(ClockName),
    "authorization": get_args(Authorization),
}
HIGHEST_PORT = 65535


class OptionError(ValueError):
    """An unknown option, or a value out of its range; the text says what was expected."""


class ClockOwner(Protocol):
    """A cluster, as far as another one shares its clock with it."""

    @property
    def clock(self) -> Clock:
        """The clock of both."""

    @property
    def neighbours(self) -> list[Any]:
        """The running clusters that share the clock."""


class OptionArguments(TypedDict, total=False):
    """The options as keyword arguments of `FakeCluster`; `Options` says what they mean."""

    clock: ClockName
    speed: float
    beside: ClockOwner | None
    authorization: Authorization
    anonymous: bool
    controllers: str | Iterable[str]
    pod_script: str
    tls: bool
    seed: int
    port: int | socket.socket
    hosts: Iterable[str]
    tokens: Mapping[str, User] | None
    certificates: Certificates | None
    services: Mapping[str, str] | None
    outgoing: Iterable[str]
    webhooks: LocalFunctions | None
    converters: Mapping[str, Convert] | None
    max_requests_inflight: int
    max_mutating_requests_inflight: int
    patience: float
    disabled_admission_plugins: Iterable[str]


class Options(Struct, frozen=True, kw_only=True):
    """The options of one cluster."""

    clock: ClockName | UnsetType = UNSET
    """Time is virtual unless told otherwise: it moves when told to.

    `wall` is real time; in `hybrid`, controllers and pods live faster.
    """
    speed: float = 60.0
    """How many times as fast, with `clock="hybrid"`."""
    beside: ClockOwner | None = None
    """A cluster whose clock this one shares, so that both become quiet and move on together."""
    authorization: Authorization = "always-allow"
    """Everything is allowed to every user that is known,
    so that tests begin without roles; `rbac` asks roles and bindings.
    """
    anonymous: bool | UnsetType = UNSET
    """Whether requests without credentials are allowed.

    By default only with `rbac`, as in kube-apiserver:
    under `always-allow` a page in a browser could do everything.
    """
    controllers: str | tuple[str, ...] = "all"
    """Names of controllers, `all`, or `none`."""
    pod_script: str = "instant"
    """What pods do that have no script of their own: `instant` runs and succeeds at once."""
    tls: bool = True
    """HTTPS with certificates of its own.

    Plain HTTP saves the handshake, and tokens are the only credentials then.
    """
    seed: int = 0
    """Decides uids, generated names and what faults with a probability hit:
    the same in each run unless told otherwise.
    """
    port: int | socket.socket = 0
    """A port of loopback, 0 for a free one; or a socket that listens there already."""
    hosts: tuple[str, ...] = ()
    """Further names in Host and Origin; addresses, names without a dot and those of the API server's own
    Service are known.
    """
    tokens: Mapping[str, User] = field(default_factory=dict)
    """Bearer tokens and their users."""
    certificates: Certificates | None = None
    """Certificates to serve with; a new authority when there are none."""
    services: Mapping[str, str] = field(default_factory=dict)
    """`namespace/name` to `host:port`, for Services whose server runs in or beside this process."""
    outgoing: tuple[str, ...] = ()
    """Networks such as 10.0.0.0/8 in which webhooks and extension
    servers may be called; others are called on loopback only.
    """
    webhooks: LocalFunctions = field(default_factory=dict)
    """URLs to functions that answer for them:
    they get a review and return one, coroutines on the cluster's own loop.
    """
    converters: Mapping[str, Convert] = field(default_factory=dict)
    """Names of definitions to functions that convert their objects, in place of webhooks."""
    max_requests_inflight: int = 400
    """With the next one: the seats that priority and fairness shares out,
    as many as a real server has by default.
    """
    max_mutating_requests_inflight: int = 200
    """See above."""
    patience: float = REVISION_WAIT_SECONDS
    """Seconds that a read waits for a revision which is still to come."""
    disabled_admission_plugins: tuple[str, ...] = ()
    """Names as kube-apiserver has them, such as TaintNodesByCondition.

    A name that is not served has no effect.
    """

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Self:
        """Return the options in keyword arguments.

        Raises OptionError; what is None is left at its default.
        """
        names = cls.__struct_fields__
        for name in arguments:
            if name not in names:
                raise OptionError(f"a cluster has no option {name!r}: {expected(name, names)}")
        return cls(
            **{name: _to_reusable(name, value) for name, value in arguments.items() if value is not None}
        )

    def __post_init__(self) -> None:
        for name, words in CHOICES.items():
            if (word := getattr(self, name)) is not UNSET and word not in words:
                raise OptionError(f"{name} is {word!r}: {expected(word, words)}")
        for name, (is_valid, expected_text) in NUMBER_CHECKS.items():
            if not is_valid(value := getattr(self, name)):
                raise OptionError(f"{name} is {value!r}: expected {expected_text}")
        if not self.max_requests_inflight + self.max_mutating_requests_inflight:
            raise OptionError(
                "max_requests_inflight and max_mutating_requests_inflight are 0: no request would be served"
            )
        if self.beside is not None and self.clock is not UNSET:
            raise OptionError(
                "clock is given and so is beside: a cluster beside another one shares its clock"
            )
        if self.certificates is not None and not self.tls:
            raise OptionError("certificates are given but tls is False: expected one without the other")
        # Validates the names now; the controllers themselves are chosen when the cluster starts.
        own_controllers.chosen(self.controllers)
        try:
            scripts.parse(self.pod_script)
        except scripts.ScriptError as error:
            raise OptionError(f"pod_script: {error}") from error
        parse_addresses(self.services)
        try:
            Reach.of(self.outgoing)
        except ReachError as error:
            raise OptionError(str(error)) from error

    @property
    def known_hosts(self) -> Hosts:
        """The names by which the server may be asked."""
        return Hosts.of(self.hosts, credentials_suffice=self.authorization == "rbac")

    @property
    def reach(self) -> Reach:
        """Which addresses the cluster may call."""
        return Reach.of(self.outgoing)

    @property
    def seats(self) -> int:
        """How many requests are worked on at a time."""
        return self.max_requests_inflight + self.max_mutating_requests_inflight

    @property
    def absent_admission_plugins(self) -> tuple[str, ...]:
        """The plugins that are not asked: those disabled,
        and ServiceAccount where no controller makes accounts.
        """
        if "accounts" in own_controllers.chosen(self.controllers):
            return self.disabled_admission_plugins
        # Without its controller no namespace has a default account, and the plugin would refuse every pod.
        return (*self.disabled_admission_plugins, "ServiceAccount")

    def settings(self, issuers: Issuers) -> Settings:
        """Return what security and the API need of it, with the authorities of certificates."""
        rights = self.authorization == "rbac"
        return Settings(
            self.authorization,
            rights if self.anonymous is UNSET else self.anonymous,
            dict(self.tokens),
            issuers=issuers,
            services=parse_addresses(self.services),
            converters=self.converters,
            patience=self.patience,
            disabled_admission_plugins=self.absent_admission_plugins,
        )


def _to_reusable(name: str, value: Any) -> Any:
    """Return a value for keeping: an iterator becomes a tuple."""
    is_reusable = (
        name not in {"controllers", "hosts", "outgoing", "disabled_admission_plugins"}
        or isinstance(value, str)
        or not isinstance(value, Iterable)
    )
    return value if is_reusable else tuple(value)


def _is_port(value: Any) -> bool:
    return isinstance(value, socket.socket) or is_whole(value, most=HIGHEST_PORT)


def _are_users(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(token, str) and token.strip() == token != "" and isinstance(user, User)
        for token, user in value.items()
    )


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool | UnsetType)


def _are_names(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(name, str) and name for name in value)


def _are_controllers(value: Any) -> bool:
    return isinstance(value, str) or _are_names(value)


def _are_functions(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(name, str) and callable(function) for name, function in value.items()
    )


WHOLE_NUMBER = "a whole number from 0"
NUMBER_CHECKS: Mapping[str, tuple[Callable[[Any], bool], str]] = MappingProxyType(
    {
        "speed": (lambda value: is_number(value, 0, above=True), "a number above 0"),
        "patience": (lambda value: is_number(value, 0), "seconds from 0"),
        "seed": (is_whole, WHOLE_NUMBER),
        "max_requests_inflight": (is_whole, WHOLE_NUMBER),
        "max_mutating_requests_inflight": (is_whole, WHOLE_NUMBER),
        "port": (_is_port, f"a port from 0 to {HIGHEST_PORT}, or a socket that listens"),
        "tls": (_is_flag, "True or False"),
        "anonymous": (_is_flag, "True or False"),
        "controllers": (_are_controllers, "names, `all` or `none`"),
        "pod_script": (lambda value: isinstance(value, str), "a script such as `2s Running, 30s Succeeded`"),
        "hosts": (_are_names, "a list of names"),
        "outgoing": (_are_names, "a list of networks"),
        "disabled_admission_plugins": (_are_names, "a list of names"),
        "tokens": (_are_users, "tokens without spaces, each with a User"),
        "webhooks": (_are_functions, "URLs, each with a function"),
        "converters": (_are_functions, "names of definitions, each with a function"),
    }
)
