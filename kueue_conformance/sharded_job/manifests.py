"""The objects of a run in a cluster: an Indexed Job whose Pods judge one shard each, and whose last Pod puts
the reports together; its account, its rights, and its subject file.

Reports go from Pod to Pod through ConfigMaps: few clusters have a volume that Pods of several nodes share.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Final

import yaml

from ..base.json_types import Json
from .in_cluster import administrator, kubeconfig

RETRIES_OF_AN_INDEX: Final = 3
_ANYBODY: Final = 65532
"""The user and group of the image: neither root, nor an owner of a file in it."""
_UID: Final = "batch.kubernetes.io/controller-uid"
_QUEUE: Final = "kueue.x-k8s.io/queue-name"
_SUBJECT: Final = "subject.yaml"
_KUBECONFIG: Final = "kubeconfig"
_FILES: Final = "/subject"
"""Where the Pods find the subject file, and the kubeconfig of their cluster."""

_HAND_SIGTERM_ON: Final = (
    'handing_sigterm_on() { "$@" & child=$!; '
    """trap 'kill -TERM "$child"; wait "$child"; exit 143' TERM; wait "$child"; }"""
)
"""A shell function, for the first process of a container has to hand SIGTERM on to its program."""


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines line by line."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


@dataclass(frozen=True, slots=True)
class ShardedJob:
    """A run in a cluster; `subject_file` is the text of one, empty for a run without, `memory` a quantity.

    With `in_cluster` the shards judge on the cluster of the Pods, one after another, else each on a fake
    API server of its own.
    """

    name: str
    namespace: str
    image: str
    shards: int
    subject_file: str = ""
    arguments: tuple[str, ...] = ()
    workers: int = 2
    memory: str = "1Gi"
    queue_name: str = ""
    deadline_seconds: int = 3600
    in_cluster: bool = False

    def objects(self) -> tuple[Json, ...]:
        """Return the objects in an order in which they can be applied."""
        return (
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}},
            self._object("v1", "ServiceAccount", automountServiceAccountToken=False),
            *self._rights(),
            *((self._object("v1", "ConfigMap", data=files),) if (files := self._files()) else ()),
            self._job(),
        )

    def text(self) -> str:
        """Return the objects as a stream of YAML documents."""
        return str(
            yaml.dump_all(self.objects(), Dumper=_Dumper, sort_keys=False, explicit_start=True, width=110)
        )

    def map_of_shard(self, number: int) -> str:
        """Return the name of the ConfigMap with the report of a shard."""
        return f"{self.name}-shard-{number}"

    @property
    def map_of_report(self) -> str:
        """The name of the ConfigMap with the whole report."""
        return f"{self.name}-report"

    def _files(self) -> dict[str, str]:
        """Return what the Pods read, by file name."""
        files = {_SUBJECT: self.subject_file, _KUBECONFIG: kubeconfig(self.namespace) * self.in_cluster}
        return {name: text for name, text in files.items() if text}

    def _object(self, version: str, kind: str, **content: Json) -> Json:
        return {
            "apiVersion": version,
            "kind": kind,
            "metadata": {"name": self.name, "namespace": self.namespace},
            **content,
        }

    def _rights(self) -> tuple[Json, ...]:
        written = [*map(self.map_of_shard, range(1, self.shards + 1)), self.map_of_report]
        rules = [
            # A right to create cannot be limited to names.
            {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["create"]},
            {
                "apiGroups": [""],
                "resources": ["configmaps"],
                "resourceNames": written,
                "verbs": ["get", "update"],
            },
        ]
        account = {"kind": "ServiceAccount", "name": self.name, "namespace": self.namespace}
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": self.name}
        return (
            self._object("rbac.authorization.k8s.io/v1", "Role", rules=rules),
            self._object("rbac.authorization.k8s.io/v1", "RoleBinding", subjects=[account], roleRef=role),
            *((administrator(f"{self.namespace}-{self.name}", account),) if self.in_cluster else ()),
        )

    def _job(self) -> Json:
        job = self._object(
            "batch/v1",
            "Job",
            spec={
                "completionMode": "Indexed",
                "completions": self.shards + 1,
                # Two shards at once would bring two control planes, or two controllers of one name.
                "parallelism": 1 if self.in_cluster else self.shards + 1,
                "backoffLimitPerIndex": RETRIES_OF_AN_INDEX,
                "maxFailedIndexes": self.shards + 1,
                "podFailurePolicy": {"rules": _failure_rules()},
                "template": {"metadata": {"labels": {"app": self.name}}, "spec": self._pod()},
            },
        )
        if self.queue_name:
            job["metadata"]["labels"] = {_QUEUE: self.queue_name}
            job["spec"]["suspend"] = True
        return job

    def _pod(self) -> Json:
        volumes: list[Json] = [{"name": "work", "emptyDir": {}}]
        mounts: list[Json] = [{"name": "work", "mountPath": "/work"}]
        if self._files():
            volumes.append({"name": "subject", "configMap": {"name": self.name}})
            mounts.append({"name": "subject", "mountPath": _FILES, "readOnly": True})
        return {
            "serviceAccountName": self.name,
            "automountServiceAccountToken": True,
            "restartPolicy": "Never",
            "securityContext": {
                "runAsNonRoot": True,
                "runAsUser": _ANYBODY,
                "runAsGroup": _ANYBODY,
                "fsGroup": _ANYBODY,
                "seccompProfile": {"type": "RuntimeDefault"},
            },
            "containers": [
                {
                    "name": "suite",
                    "image": self.image,
                    "command": ["sh", "-c", self.script()],
                    "workingDir": "/work",
                    "env": self._environment(),
                    "resources": {"requests": {"cpu": str(self.workers), "memory": self.memory}},
                    "securityContext": {
                        "allowPrivilegeEscalation": False,
                        "readOnlyRootFilesystem": True,
                        "capabilities": {"drop": ["ALL"]},
                    },
                    "volumeMounts": mounts,
                }
            ],
            "volumes": volumes,
        }

    def _environment(self) -> list[Json]:
        values = {
            "WORK": "/work",
            "HOME": "/work",
            "TMPDIR": "/work",
            "JOB_NAME": self.name,
            "NAMESPACE": self.namespace,
        }
        if self.subject_file:
            values["SUBJECT_FILE"] = f"{_FILES}/{_SUBJECT}"
        if self.in_cluster:
            values["CLUSTER"] = f"{_FILES}/{_KUBECONFIG}"
        uid = {"name": "JOB_UID", "valueFrom": {"fieldRef": {"fieldPath": f"metadata.labels['{_UID}']"}}}
        # JOB_COMPLETION_INDEX comes from the Job controller.
        return [*({"name": name, "value": value} for name, value in values.items()), uid]

    def script(self) -> str:
        """Return what the shell of each Pod runs: the last index waits for the reports of the others.

        A shard whose case fails has done its work: its report says so, and the last Pod ends with 1.
        """
        words = [
            *(["--subject-file", '"$SUBJECT_FILE"'] if self.subject_file else []),
            *(["--backend", '"kubeconfig:$CLUSTER"'] if self.in_cluster else []),
            *map(shlex.quote, self.arguments),
        ]
        in_cluster = '--namespace "$NAMESPACE" --owner "$JOB_NAME/$JOB_UID"'
        return "\n".join(
            [
                "set -e",
                _HAND_SIGTERM_ON,
                f'if [ "$JOB_COMPLETION_INDEX" -lt {self.shards} ]; then',
                "  shard=$((JOB_COMPLETION_INDEX + 1))",
                "  code=0",
                f'  handing_sigterm_on kueue-conformance run {" ".join(words)} -n {self.workers} --shard "$shard/{self.shards}" --report-dir "$WORK/report" || code=$?',
                '  case $code in 0 | 1 | 7) ;; *) exit "$code" ;; esac',
                f'  kueue-conformance report publish "$WORK/report/report.yaml" --config-map "$JOB_NAME-shard-$shard" {in_cluster}',
                "else",
                "  code=0",
                f'  handing_sigterm_on kueue-conformance report collect "$JOB_NAME-shard-" --shards {self.shards} --out "$WORK/report.yaml" --deadline {self.deadline_seconds} {in_cluster} || code=$?',
                '  [ -e "$WORK/report.yaml" ] || exit "$code"',
                '  kueue-conformance report publish "$WORK/report.yaml" --config-map "$JOB_NAME-report" --namespace "$NAMESPACE"',
                '  exit "$code"',
                "fi",
                "",
            ]
        )


def _failure_rules() -> list[Json]:
    """Return what becomes of a failed Pod: after an eviction it is tried again, uncounted.

    Where it would end alike (1: a rule is broken, 4: a wrong option or file, 5: no case) it is not tried
    again.
    """
    return [
        {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
        {
            "action": "FailIndex",
            "onExitCodes": {"containerName": "suite", "operator": "In", "values": [1, 4, 5]},
        },
    ]
