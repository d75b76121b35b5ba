"""A user of the cluster, with the rights of roles (KEP-168-2, user stories; spec/visibility.md §5.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ...case.context import CaseContext
from ...history.fact import Fact
from ...wire.client import ApiError
from ...wire.resource import Resource
from ..making.names import Names
from ..pending.pending import Pending
from ..queues.queue import Queue
from .request_sender import RequestSender

_RBAC = "rbac.authorization.k8s.io"
_BINDINGS = {
    "ClusterRole": Resource(_RBAC, "v1", "ClusterRole", "clusterroles", namespaced=False),
    "ClusterRoleBinding": Resource(
        _RBAC, "v1", "ClusterRoleBinding", "clusterrolebindings", namespaced=False
    ),
    "RoleBinding": Resource(_RBAC, "v1", "RoleBinding", "rolebindings"),
}
PolicyRule: TypeAlias = dict[str, list[str]]
Subject: TypeAlias = Mapping[str, str]


class Binding:
    """A role binding that can be deleted again."""

    def __init__(self, context: CaseContext, path: str) -> None:
        self._context = context
        self._path = path

    def delete(self) -> None:
        """Delete the binding."""
        self._context.client.call("DELETE", self._path)


ALLOWED, FORBIDDEN = (200, 404), (403, 403)
"""The codes of a list and of the deletion of what does not exist, for a user with the rights and without."""


class User:
    """A client with its own user name; `bind` and `grant` give
    rights to the `subject`, a user, group or ServiceAccount.
    """

    def __init__(
        self, context: CaseContext, names: Names, name: str, asker: RequestSender, subject: Subject
    ) -> None:
        self._context = context
        self._names = names
        self.send = asker.send
        """Sends any request and returns the answer as it came."""
        self.send_together = asker.send_together
        """Sends several requests at one moment."""
        self.subject = subject
        self.name = name
        self._client = asker.client(context.client)

    def bind(self, role: str, namespace: str = "") -> Binding:
        """Bind a ClusterRole to the subject: in one namespace, or everywhere."""
        kind = "RoleBinding" if namespace else "ClusterRoleBinding"
        namespace_field = {"namespace": namespace} if namespace else {}
        name = self._names.name("binding")
        self._context.client.create(
            {
                "kind": kind,
                "metadata": {"name": name, **namespace_field},
                "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": role},
                "subjects": [dict(self.subject)],
            },
            _BINDINGS[kind],
        )
        return Binding(self._context, _BINDINGS[kind].path(namespace, name))

    def grant(self, rule: PolicyRule, namespace: str = "") -> Binding:
        """Make a ClusterRole with one rule and bind it to the subject."""
        role = self._names.name("role")
        self._context.client.create(
            {"kind": "ClusterRole", "metadata": {"name": role}, "rules": [rule]}, _BINDINGS["ClusterRole"]
        )
        return self.bind(role, namespace)

    def pending(self, queue: Queue, *, version: str = "") -> Pending:
        """Return the list of a ClusterQueue as this user gets it."""
        return Pending(self._context, self._client, f"clusterqueues/{queue.cluster_queue}", version=version)

    def pending_locally(self, queue: Queue, *, version: str = "") -> Pending:
        """Return the list of a LocalQueue as this user gets it."""
        path = f"namespaces/{queue.namespace}/localqueues/{queue.name}"
        return Pending(self._context, self._client, path, version=version)

    def is_allowed_to_list(self, queue: Queue) -> Fact:
        """The list of the ClusterQueue is answered."""
        return self.pending(queue).is_served()

    def is_forbidden_to_list(self, queue: Queue) -> Fact:
        """The list of the ClusterQueue is refused with 403."""
        return self.pending(queue).is_refused(403, "Forbidden")

    def is_forbidden_to_list_locally(self, queue: Queue) -> Fact:
        """The list of the LocalQueue is refused with 403."""
        return self.pending_locally(queue).is_refused(403, "Forbidden")

    def is_unauthenticated(self, queue: Queue) -> Fact:
        """The credentials are refused with 401, for both lists."""
        codes = [
            self._code(pending_list) for pending_list in (self.pending(queue), self.pending_locally(queue))
        ]
        return Fact(codes == [401, 401], f"{self} is refused with 401", str(codes))

    def codes_of(self, cluster_queue: Queue, *local: Queue) -> tuple[int, ...]:
        """Return the codes of the lists of a ClusterQueue and of LocalQueues."""
        pending_lists = (self.pending(cluster_queue), *map(self.pending_locally, local))
        return tuple(map(self._code, pending_lists))

    def has_list_codes(self, codes: tuple[int, ...], cluster_queue: Queue, *local: Queue) -> Fact:
        """The lists of a ClusterQueue and of LocalQueues are answered with these codes."""
        observed_codes = self.codes_of(cluster_queue, *local)
        return Fact(observed_codes == codes, f"{self} gets {codes}", f"{observed_codes}")

    def is_allowed_to_write(self, *kinds: str) -> Fact:
        """Objects of all these kinds may be listed and deleted, in every namespace."""
        codes = {kind: (self._answer("GET", kind), self._answer("DELETE", kind, "none")) for kind in kinds}
        expected = f"{self} may list and delete {', '.join(kinds)}"
        return Fact(all(code == ALLOWED for code in codes.values()), expected, f"{codes}")

    def is_forbidden_to_write(self, *kinds: str) -> Fact:
        """Objects of none of these kinds may be listed or deleted."""
        codes = {kind: (self._answer("GET", kind), self._answer("DELETE", kind, "none")) for kind in kinds}
        expected = f"{self} may neither list nor delete {', '.join(kinds)}"
        return Fact(all(code == FORBIDDEN for code in codes.values()), expected, f"{codes}")

    def _answer(self, method: str, kind: str, name: str = "") -> int:
        try:
            self._client.call(method, self._client.resource(kind).path(name=name))
        except ApiError as error:
            return error.code
        return 200

    def _code(self, pending: Pending) -> int:
        try:
            self._client.text(pending.path)
        except ApiError as error:
            return error.code
        return 200

    def __str__(self) -> str:
        return f"user {self.name}"


def user_subject(name: str) -> Subject:
    """Return a user as the subject of a binding."""
    return {"apiGroup": _RBAC, "kind": "User", "name": name}


def group_subject(name: str) -> Subject:
    """Return a group as the subject of a binding."""
    return {"apiGroup": _RBAC, "kind": "Group", "name": name}
