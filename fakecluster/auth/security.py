"""The security of one cluster put together: who people are,
what they may do, and the kinds that answer about it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, MutableMapping
from random import Random
from typing import Literal, Self

from msgspec import Struct, field

from ..api.admission import AuthorizationChecks
from ..api.attributes import Attributes
from ..api.converter import Convert
from ..api.outcome import User
from ..api.registry import Registry
from ..api.service_address import Address
from ..base.clock import Clock
from ..registry.action import Verb
from ..registry.machinery import Handler
from ..store import Store
from .authentication.authenticator import Authenticator
from .authentication.jwt import Signer
from .authentication.legacy_tokens import LegacyTokens
from .authentication.service_accounts import Accounts
from .authorization import further_rights
from .authorization.access import Access
from .authorization.rbac import MASTERS, AlwaysAllow, Authorizer, Decision, Rbac
from .impersonation import Impersonation
from .issuers import Issuers
from .review_kinds import access_reviews, identity_reviews, token_requests

Authorization = Literal["always-allow", "rbac"]
REVISION_WAIT_SECONDS = 3.0
FOR_ADMINISTRATORS = "the laboratory is for members of system:masters"


class Settings(Struct, frozen=True):
    """What a cluster and its forks share:
    tokens, the key of service account tokens, how access is decided.
    """

    authorization: Authorization = "always-allow"
    anonymous: bool = False
    """Whether requests without credentials are let in, as `system:anonymous`."""
    tokens: MutableMapping[str, User] = field(default_factory=dict)
    signer: Signer = field(default_factory=Signer)
    issuers: Issuers = Issuers()
    """The authorities that sign clients and front proxies, empty without TLS."""
    services: Mapping[str, Address] = field(default_factory=dict)
    """Where Services are reached that this process knows better than the store."""
    converters: Mapping[str, Convert] = field(default_factory=dict)
    """Functions that stand for conversion webhooks, by the name of their definition."""
    patience: float = REVISION_WAIT_SECONDS
    """Seconds that a read waits for a revision which is still to come."""
    disabled_admission_plugins: tuple[str, ...] = ()
    """Names as in `--disable-admission-plugins`."""

    def token_of(self, identity: User) -> str:
        """Return the bearer token of an identity, made when it has none."""
        bearer_token = next((bearer for bearer, user in self.tokens.items() if user == identity), "")
        if not bearer_token:
            bearer_token = secrets.token_urlsafe(24)
            self.tokens[bearer_token] = identity
        return bearer_token


class Security(Struct, frozen=True):
    """Authenticates and authorizes for one store."""

    settings: Settings
    accounts: Accounts
    authenticator: Authenticator
    authorizer: Authorizer
    impersonation: Impersonation

    @classmethod
    def of(cls, settings: Settings, store: Store, clock: Clock, random: Random) -> Self:
        """Return the security over the roles and accounts of a store."""
        accounts = Accounts(store, settings.signer, clock.now, random)
        legacy = LegacyTokens(store, settings.signer, clock.now)
        authenticator = Authenticator(settings.tokens, (accounts.lookup, legacy.lookup), settings.anonymous)
        authorizer = Rbac(store) if settings.authorization == "rbac" else AlwaysAllow()
        return cls(settings, accounts, authenticator, authorizer, Impersonation(authorizer))

    def handlers(self) -> tuple[Handler, ...]:
        """Return what refuses requests before they are looked at; nothing where every request is allowed."""
        # Where everything is allowed no question has to be asked.
        return () if isinstance(self.authorizer, AlwaysAllow) else (Access(self.authorizer),)

    def checks(self, store: Store, registry: Registry) -> AuthorizationChecks:
        """Return the checks of what requests need beside the right to their verb;
        none where every request is allowed.
        """
        if not isinstance(self.authorizer, Rbac):
            return AuthorizationChecks()
        return further_rights.checks(
            self.authorizer, store, registry, self.settings.disabled_admission_plugins
        )

    def decide_laboratory(self, user: User, attributes: Attributes) -> Decision:
        """Return whether `user`, acting as the user of the attributes,
        may use the laboratory: only proved identities count.

        Where every request is allowed, any user may impersonate or bind any other:
        there both users have to be administrators.
        """
        if isinstance(self.authorizer, Rbac):
            return self.authorizer.decide(attributes)
        # Both users: an administrator must not become one by impersonation.
        return Decision(
            all(MASTERS in account.groups for account in (user, attributes.user)), FOR_ADMINISTRATORS
        )

    def verbs(self) -> dict[tuple[str, str, str], Verb]:
        """Return the verbs of the kinds that ask about identities and access."""
        return {
            **access_reviews.verbs(self.authorizer),
            **identity_reviews.verbs(self.authenticator),
            **token_requests.verbs(self.accounts),
        }
