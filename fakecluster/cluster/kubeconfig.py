"""A kubeconfig for one identity, everything inline: CA, client certificate and token."""

from __future__ import annotations

import base64

from ..api.outcome import User
from ..auth.certificates import Certificates, KeyPair
from ..base.json_types import Json


def of_user(server: str, user: User, token: str, authority: Certificates | None) -> str:
    """Return the text of a user's kubeconfig, with a client certificate where the cluster serves TLS."""
    ca = authority.pem if authority else b""
    pair = authority.client(user.name, user.groups) if authority else None
    return render(server=server, user=user.name, token=token, ca=ca, pair=pair)


def render(
    *,
    server: str,
    user: str,
    token: str,
    ca: bytes = b"",
    pair: KeyPair | None = None,
    namespace: str = "default",
) -> str:
    """Return the file's text."""
    import yaml  # many a cluster is never asked for one

    cluster = {"server": server, **({"certificate-authority-data": _inline(ca)} if ca else {})}
    context = {"cluster": "fakecluster", "user": user, "namespace": namespace}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "fakecluster", "cluster": cluster}],
        "users": [{"name": user, "user": {**_certificate(pair), "token": token}}],
        "contexts": [{"name": "fakecluster", "context": context}],
        "current-context": "fakecluster",
    }
    # libyaml where it is installed: the certificates are long texts.
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return str(yaml.dump(document, Dumper=dumper, sort_keys=False))


def _certificate(pair: KeyPair | None) -> Json:
    if pair is None:
        return {}
    return {"client-certificate-data": _inline(pair.certificate), "client-key-data": _inline(pair.key)}


def _inline(data: bytes) -> str:
    return base64.b64encode(data).decode()


def secret(text: str, namespace: str, name: str) -> Json:
    """Return the Secret that hands a kubeconfig to a controller of another cluster (F-10)."""
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"namespace": namespace, "name": name},
        "stringData": {"kubeconfig": text},
    }
