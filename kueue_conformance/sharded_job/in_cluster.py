"""Access of a Pod to its own cluster: a kubeconfig with its account, and an administrator's rights."""

from __future__ import annotations

from typing import Final

import yaml

from ..base.json_types import Json

_CREDENTIALS: Final = "/var/run/secrets/kubernetes.io/serviceaccount"
"""Where the kubelet writes the token of a Pod's account, and the authority's certificate."""
_SERVER: Final = "https://kubernetes.default.svc"


def kubeconfig(namespace: str) -> str:
    """Return the text of a kubeconfig that names the files of the Pod's account; it holds no secret."""
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [
            {
                "name": "here",
                "cluster": {"server": _SERVER, "certificate-authority": f"{_CREDENTIALS}/ca.crt"},
            }
        ],
        "users": [{"name": "account", "user": {"tokenFile": f"{_CREDENTIALS}/token"}}],
        "contexts": [
            {"name": "here", "context": {"cluster": "here", "user": "account", "namespace": namespace}}
        ],
        "current-context": "here",
    }
    return str(yaml.safe_dump(config, sort_keys=False))


def administrator(name: str, account: Json) -> Json:
    """Return the ClusterRoleBinding that makes an account an administrator.

    A run makes definitions, namespaces and rights, and acts for other users: it needs no less.
    """
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": name},
        "subjects": [account],
        "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "ClusterRole",
            "name": "cluster-admin",
        },
    }
