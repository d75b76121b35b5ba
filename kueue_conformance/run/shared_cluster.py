"""Guards an existing cluster: what it may contain before a run, what the run installs, and that the run
removes it again (harness/H-40, H-41).

A cluster with a Kueue of its own, or with queues and checks of others,
is refused unless the user says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..backends.leftovers import Leftover, leftovers, remove
from ..base.errors import Problems, UsageError
from ..base.json_types import Json
from ..control_planes.upstream import release
from ..wire import kinds
from ..wire.client import RUN_LABEL, ApiError, Client
from ..wire.resource import KUEUE, Resource

ALLOWED = "allow-neighbours"
BRINGING = ("reference", "scripted")
"""Control planes that install Kueue's kinds."""
_OTHERS_S = ("ClusterQueue", "LocalQueue", "AdmissionCheck")
_INSTALLER = "kueue-reference"
_SYSTEM = "kube-system"
"""Where the control plane is allowed to read the authorities of the cluster (VIS-443)."""
_SHOWN = 3


class SharedClusterGuard:
    """One run on one cluster that is there before it and after it."""

    def __init__(
        self,
        client: Client,
        run: str,
        control_plane: str,
        *,
        allowed: bool,
        cleanup: str,
        reused: bool = False,
    ) -> None:
        """`reused` says that the cluster may have been made by an earlier run, which leaves its definitions
        in it; `cleanup` is the command that removes what earlier runs have left.
        """
        self._cleanup = cleanup
        self._client = client
        self._run = run
        self._control_plane = control_plane
        self._allowed = allowed
        self._reused = reused
        self._furnished = False

    def arrive(self, tell: Callable[[str], None]) -> None:
        """Check the cluster before anything is created. Raises UsageError when others use it."""
        # Before anything is written: a refused run leaves no trace in somebody's cluster
        # (harness/H-40).
        if not self._allowed:
            problems = Problems()
            # Both are looked at and told at once, so that one refusal does not follow the other.
            problems.of(self._no_other_kueue, None)
            problems.of(self._nobodys_queues, None)
            problems.end()
        # Asked before the installation: definitions that were there are not labelled later, and
        # so never deleted.
        self._furnished = self._definition() is not None
        # Only told, not deleted: another run may be at work, and its objects look the same.
        if remaining := leftovers(self._client):
            runs = ", ".join(sorted({leftover.run for leftover in remaining}))
            tell(
                f"{len(remaining)} objects of other runs ({runs}) are there, such as {remaining[0]}; where those runs are over, `{self._cleanup}` removes them"
            )

    def resolve(self) -> None:
        """Label the objects that this run's control plane has installed."""
        if self._furnished or self._control_plane not in BRINGING:
            return
        for resource, installed_object in self._installed_objects():
            path = resource.path(
                installed_object["metadata"].get("namespace", ""), installed_object["metadata"]["name"]
            )
            self._client.call(
                "PATCH",
                path,
                {"metadata": {"labels": {RUN_LABEL: self._run}}},
                # A merge patch adds the label without a resourceVersion, so no conflict with a
                # controller that writes status.
                media="application/merge-patch+json",
            )

    def leave(self) -> None:
        """Delete everything that bears the label of this run;
        Kueue's kinds only when no other run is there.
        """
        own_leftovers = leftovers(self._client, self._run)
        # To delete a definition deletes all objects of its kind, those of the other run as well.
        has_others = any(leftover.run != self._run for leftover in leftovers(self._client))
        remove(
            self._client,
            [leftover for leftover in own_leftovers if not (has_others and _is_furniture(leftover))],
        )

    def _no_other_kueue(self) -> None:
        if self._control_plane not in BRINGING:
            return
        definition = self._definition()
        # A definition with a run's label was installed by this harness, in a run that may still
        # work.
        if definition is None or RUN_LABEL in definition["metadata"].get("labels", {}):
            return
        deployed = release.deployments(self._client)
        # In a kept kind cluster the definitions of an earlier run remain, without a Kueue that
        # works by them.
        if self._reused and not deployed and _is_of_ours(definition):
            return
        version = release.of_deployments(deployed) or "of unknown version"
        raise UsageError(
            f"the cluster has a Kueue already ({version}), and --control-plane {self._control_plane} would change its definitions",
            hint=f"judge the existing one with --control-plane upstream, name another cluster, or add --{ALLOWED}",
        )

    def _nobodys_queues(self) -> None:
        foreign = [f"{kind} {name}" for kind in _OTHERS_S for name in self._foreign(kind)]
        if foreign:
            suffix = f" and {len(foreign) - _SHOWN} more" if len(foreign) > _SHOWN else ""
            raise UsageError(
                f"the cluster has queues or checks of others: {', '.join(foreign[:_SHOWN])}{suffix}",
                hint=f"name a cluster without other users, or add --{ALLOWED}: only objects with the label {RUN_LABEL} are deleted",
            )

    def _foreign(self, kind: str) -> Iterator[str]:
        try:
            items = self._client.list(kind)
        except ApiError as error:
            # 404 for a list means that the kind is not installed: then nobody has objects of it.
            if error.code != 404:
                raise
            return
        for item in items:
            if RUN_LABEL not in item["metadata"].get("labels", {}):
                yield item["metadata"]["name"]

    def _definition(self) -> Json | None:
        return self._client.find("CustomResourceDefinition", f"workloads.{KUEUE}")

    def _installed_objects(self) -> Iterator[tuple[Resource, Json]]:
        for resource in kinds.served_resources(self._client):
            # What is in the namespace of the control plane goes with it.
            # The RoleBinding for authentication lies in kube-system, which no run deletes.
            if not resource.namespaced or resource.kind == "RoleBinding":
                namespace = _SYSTEM if resource.namespaced else ""
                for item in self._client.call("GET", resource.path(namespace))["items"]:
                    if _is_of_ours(item):
                        yield resource, item


def _is_of_ours(document: Json) -> bool:
    """Whether the reference installed it."""
    # managedFields tell the author of an object even where somebody has removed its labels.
    return any(entry.get("manager") == _INSTALLER for entry in document["metadata"].get("managedFields", ()))


def _is_furniture(leftover: Leftover) -> bool:
    return leftover.resource.kind == "CustomResourceDefinition" and leftover.name.endswith(KUEUE)
