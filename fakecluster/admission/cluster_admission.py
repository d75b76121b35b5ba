"""Everything that admits the writes of a cluster, in the order of the real server (FK-300)."""

from __future__ import annotations

from msgspec import Struct

from ..api.admission import AuthorizationChecks, Charge, Review
from ..api.context import Context
from ..api.steps import Steps
from ..base.json_types import Json
from ..schema.fields import FieldError
from .plugin_chain import PluginChain
from .policies.bindings import BINDINGS
from .policies.policies import Policies
from .quotas import charging
from .quotas.charging import QUOTAS
from .webhooks.configurations import MUTATING, VALIDATING
from .webhooks.hooks import Hook
from .webhooks.webhooks import Webhooks

MUTATORS = (MUTATING,)
VALIDATORS = (BINDINGS, VALIDATING, QUOTAS)
"""Resources of which there are objects where others than plugins have a say about what is written."""


class ClusterAdmission(Struct, frozen=True):
    """The admission of one cluster."""

    plugins: PluginChain
    policies: Policies
    webhooks: Webhooks
    checks: AuthorizationChecks = AuthorizationChecks()
    disabled: frozenset[str] = frozenset()
    """Names of plugins; what these four plugins of kube-apiserver
    do is asked of webhooks, policies and quotas.
    """

    def mutate(self, api: Context, review: Review) -> Steps[Json]:
        """Return what plugins and webhooks make of an object. Raises what refuses it."""
        new = self.plugins.mutate(api, review)
        if api.store.has_any(MUTATORS) and (hooks := self._mutating(review)):
            new = yield from self.webhooks.mutate(api, review, hooks, new)
        for check in self.checks.mutated:
            check(review, new)
        return new

    def permit(self, review: Review, new: Json, errors: list[FieldError]) -> list[FieldError]:
        """Return the errors of an object with those of fields that its user may not write."""
        for check in self.checks.with_validation:
            errors = check(review, new, errors)
        return errors

    def validate(self, api: Context, review: Review) -> Steps[Charge | None]:
        """Return the charge to quotas that is noted after the commit. Raises the StatusError of a refusal."""
        for check in self.checks.before_validation:
            check(review)
        self.plugins.validate(api, review)
        charge = (yield from self._consult(api, review)) if api.store.has_any(VALIDATORS) else None
        for check in self.checks.admitted:
            check(review)
        return charge

    def _mutating(self, review: Review) -> tuple[Hook, ...]:
        return () if "MutatingAdmissionWebhook" in self.disabled else self.webhooks.mutating(review)

    def _consult(self, api: Context, review: Review) -> Steps[Charge | None]:
        """Ask policies, webhooks and quotas."""
        if "ValidatingAdmissionPolicy" not in self.disabled and (bound := self.policies.about(review)):
            yield from self.policies.validate(api, review, bound)
        if "ValidatingAdmissionWebhook" not in self.disabled and (hooks := self.webhooks.validating(review)):
            yield from self.webhooks.validate(api, review, hooks)
        return None if "ResourceQuota" in self.disabled else charging.charge(api, review)
