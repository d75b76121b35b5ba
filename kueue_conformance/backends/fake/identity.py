"""The user that the judged controller is on a fake cluster, so that its requests are told from all others (harness/H-47)."""

from __future__ import annotations

from pathlib import Path

from fakecluster.cluster import FakeCluster

SUBJECT_USER = "kueue-conformance:subject"


def identity(cluster: FakeCluster, folder: Path) -> str:
    """Write a kubeconfig for the subject and return its path."""
    file = folder / "subject.kubeconfig"
    cluster.kubeconfig(file, user=SUBJECT_USER)
    return str(file)
