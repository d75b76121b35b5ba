"""The escalation check of a write of a role or a binding: users cannot grant rights that they lack (FK-398).

It runs after mutation and before validation. The verb `escalate` on a role, and `bind` on the role
of a binding, stand for the rights themselves; members of system:masters are not asked.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...api import status
from ...api.admission import Review
from ...api.attributes import Attributes
from ...api.outcome import User
from ...base.json_types import Json
from ...schema.fields import go_quote
from . import rule_coverage
from .rbac import CLUSTER_ADMIN_RULES, GROUP, MASTERS, Rbac
from .rules import Rule, of_objects

AGGREGATION = "must have cluster-admin privileges to use the aggregationRule"
ROLES = frozenset({"roles", "clusterroles"})
BINDINGS = frozenset({"rolebindings", "clusterrolebindings"})
GARBAGE_FIELDS = frozenset({"ownerReferences", "finalizers", "managedFields"})


class Escalation:
    """The check, after a write was mutated, whether its role or binding grants too much."""

    def __init__(self, rbac: Rbac) -> None:
        self._rbac = rbac

    def check(self, review: Review, new: Json) -> None:
        """Check that a write grants nothing new.

        Raises 403, or 404 for a binding to a role that is absent.
        """
        # Members of system:masters hold every right.
        if review.kind.group != GROUP or MASTERS in review.user.groups:
            return
        # Garbage collection must be able to do its work without the rights of a role.
        if new is None or (review.old is not None and _only_garbage_fields(new, review.old)):
            return
        if review.kind.plural in ROLES:
            self._check_role(review, new)
        elif review.kind.plural in BINDINGS:
            self._check_binding(review, new)

    def _check_role(self, review: Review, new: Json) -> None:
        # A new role has no name to which a right could be restricted.
        named = "" if review.verb == "create" else review.name
        if self._may(review.user, "escalate", review.kind.plural, review.namespace, named):
            return
        # All rules of the role, not only the new ones: who updates grants what is there as well.
        self._confirm(review, of_objects(new.get("rules") or ()))
        # An aggregation rule grants whatever is selected one day.
        if any(_aggregates(role) for role in (new, review.old or {})):
            self._confirm(review, CLUSTER_ADMIN_RULES, AGGREGATION)

    def _check_binding(self, review: Review, new: Json) -> None:
        role = new.get("roleRef") or {}
        kind, name = role.get("kind", ""), role.get("name", "")
        plural = {"Role": "roles", "ClusterRole": "clusterroles"}.get(kind, "")
        group = role.get("apiGroup", "")
        # A right to bind the role stands for holding its rules.
        if plural and self._may(review.user, "bind", plural, review.namespace, name, group):
            return
        if not plural:
            raise status.raw(f'unsupported role reference kind: "{kind}"')
        rules = self._rbac.rules_of(kind, name, review.namespace)
        if rules is None:
            about = status.about(name, GROUP, review.kind.plural)
            raise status.failure(404, "NotFound", f'{review.kind.plural}.{GROUP} "{name}" not found', about)
        self._confirm(review, rules)

    def _may(self, user: User, verb: str, plural: str, namespace: str, name: str, group: str = GROUP) -> bool:
        attributes = Attributes(
            user=user, verb=verb, group=group, resource=plural, namespace=namespace, name=name
        )
        return self._rbac.decide(attributes).allowed

    def _confirm(self, review: Review, rules: Iterable[Rule], why: str = "") -> None:
        user = review.user
        user_rules = self._rbac.rights_by_bindings(user, review.namespace)
        lacking = rule_coverage.missing(user_rules.rules, rules)
        if not lacking:
            return
        lines = "\n".join(rule_coverage.lines(lacking))
        head = f"user {go_quote(user.name)} (groups={rule_coverage.quote_list(user.groups)})"
        text = f"{head} is attempting to grant RBAC permissions not currently held:\n{lines}"
        # A user whose bindings name missing roles learns why they have fewer rights.
        if user_rules.missing:
            text += f"; resolution errors: [{', '.join(user_rules.missing)}]"
        raise status.forbidden(GROUP, review.kind.plural, review.name, why or text)


def _aggregates(role: Json) -> bool:
    return bool((role.get("aggregationRule") or {}).get("clusterRoleSelectors"))


def _only_garbage_fields(new: Json, old: Json) -> bool:
    """Whether a write only lets garbage collection do its work."""
    return bool(_without_garbage_fields(new) == _without_garbage_fields(old))


def _without_garbage_fields(obj: Json) -> Json:
    other_fields = {name: value for name, value in obj["metadata"].items() if name not in GARBAGE_FIELDS}
    return {**obj, "metadata": other_fields}
