"""Development-time script: reads the fields of the API
server's own structs, writes `internal.json.gz` (FK-037).

Messages show values of these structs, whose fields differ in number and order from what clients see. Run it
with the folder of the module k8s.io/kubernetes, as `go mod download` leaves it::

    python -m tools.datagen.internal "$(go env GOMODCACHE)/k8s.io/kubernetes@v1.36.3"

The result maps `core.PodSpec` to pairs of field name and Go type; an embedded struct has an empty name.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path

from .declarations import ALIAS, STRUCT
from .types import DATA, write

GROUPS = (
    "admissionregistration",
    "apps",
    "authorization",
    "autoscaling",
    "batch",
    "coordination",
    "core",
    "discovery",
    "flowcontrol",
    "networking",
    "node",
    "policy",
    "rbac",
    "resource",
    "scheduling",
    "storage",
)
ROOTS = (
    "apps.DaemonSetUpdateStrategy",
    "apps.DeploymentStrategy",
    "apps.StatefulSetUpdateStrategy",
    "core.Taint",
    "core.EventSource",
    "core.NodeAddress",
    "core.VolumeNodeAffinity",
    "batch.SuccessPolicy",
    "batch.PodFailurePolicy",
    "core.PodTemplateSpec",
    "core.NodeSelectorTerm",
    "core.ObjectReference",
    "policy.PodDisruptionBudgetSpec",
    "rbac.RoleRef",
    "authorization.NonResourceAttributes",
    "flowcontrol.PriorityLevelConfigurationSpec",
    "flowcontrol.FlowSchemaSpec",
    "resource.ResourceClaimSpec",
    "resource.AllocationResult",
    "resource.ResourceClaimTemplateSpec",
    "resource.ResourceSliceSpec",
    "resource.DeviceClassSpec",
    "storage.CSINodeDriver",
    "storage.StorageClass",
    "storage.VolumeAttachmentSpec",
    "storage.CSIDriverSpec",
    "networking.IngressClassSpec",
    "autoscaling.HorizontalPodAutoscalerSpec",
    "networking.IngressSpec",
    "core.PersistentVolumeSpec",
    "authorization.ResourceAttributes",
    "core.ServiceSpec",
    "core.PersistentVolumeClaimSpec",
    "scheduling.PriorityClass",
)
MEMBER = re.compile(r"^\s+(?:(\w+)\s+)?([\w.\[\]*]+)\s*(?://.*)?$")
BUILTIN = frozenset({"string", "bool", "int", "int32", "int64", "float64", "byte", "map"})
IMPORTS = {"api": "core", "v1": "meta"}


def read(root: Path) -> tuple[dict[str, list[tuple[str, str]]], dict[str, str]]:
    """Parse the type files of every group: structs, and what other named types stand for."""
    structs: dict[str, list[tuple[str, str]]] = {}
    named: dict[str, str] = {}
    for group in GROUPS:
        text = (root / "pkg/apis" / group / "types.go").read_text(encoding="utf-8")
        parse(group, text.splitlines(), structs, named)
    return structs, named


def parse(
    group: str, lines: Iterable[str], structs: dict[str, list[tuple[str, str]]], named: dict[str, str]
) -> None:
    """Add the declarations of one file."""
    fields: list[tuple[str, str]] | None = None
    for line in lines:
        if fields is None:
            if match := STRUCT.match(line):
                declared = structs.setdefault(f"{group}.{match[1]}", [])
                fields = None if match[2] else declared
            elif match := ALIAS.match(line):
                named[f"{group}.{match[1]}"] = qualify(match[2], group)
        elif line.startswith("}"):
            fields = None
        elif match := MEMBER.match(line):
            fields.append((match[1] or "", qualify(match[2], group)))


def qualify(go_type: str, group: str) -> str:
    """Rewrite a Go type so that every name in it carries its package."""

    def with_package(match: re.Match[str]) -> str:
        word = match[0]
        if word in BUILTIN:
            return word
        prefix, dot, name = word.rpartition(".")
        return f"{IMPORTS.get(prefix, prefix)}.{name}" if dot else f"{group}.{name}"

    return re.sub(r"[A-Za-z][\w.]*", with_package, go_type)


def reachable(structs: dict[str, list[tuple[str, str]]], named: dict[str, str]) -> set[str]:
    """Return the structs that the roots need."""
    todo, reached = list(ROOTS), set()
    while todo:
        name = todo.pop()
        if name in reached:
            continue
        if name in named:
            todo += re.findall(r"\w+\.\w+", named[name])
        elif name in structs:
            reached.add(name)
            todo += [word for _, go_type in structs[name] for word in re.findall(r"\w+\.\w+", go_type)]
    return reached


def main() -> None:
    """Read the module and write the data file."""
    parser = argparse.ArgumentParser(description="Write internal.json.gz from the API server's own types.")
    parser.add_argument("module", type=Path, help="folder of the module k8s.io/kubernetes")
    structs, named = read(parser.parse_args().module)
    names = sorted(reachable(structs, named))
    content = {"structs": {name: structs[name] for name in names}, "named": dict(sorted(named.items()))}
    write(DATA / "internal.json.gz", content)


if __name__ == "__main__":
    main()
