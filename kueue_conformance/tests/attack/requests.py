"""Requests as bytes: the well-formed frame around what is hostile in them."""

import json

NAMESPACE = "attacked"
CONFIG_MAPS = f"/api/v1/namespaces/{NAMESPACE}/configmaps"
WIDGETS = f"/apis/attack.example.com/v1/namespaces/{NAMESPACE}/widgets"
PODS = f"/api/v1/namespaces/{NAMESPACE}/pods"
JOBS = f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs"
LEASES = f"/apis/coordination.k8s.io/v1/namespaces/{NAMESPACE}/leases"
REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
QUOTAS = f"/api/v1/namespaces/{NAMESPACE}/resourcequotas"
VISIBILITY = "/apis/visibility.kueue.x-k8s.io"
CLUSTER_QUEUE = f"{VISIBILITY}/v1beta2/clusterqueues/attacked/pendingworkloads"
LOCAL_QUEUE = f"{VISIBILITY}/v1beta2/namespaces/{NAMESPACE}/localqueues/attacked/pendingworkloads"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
JSON, YAML, PROTOBUF = "application/json", "application/yaml", "application/vnd.kubernetes.protobuf"
JSON_PATCH, MERGE_PATCH = "application/json-patch+json", "application/merge-patch+json"
STRATEGIC_PATCH, APPLY_PATCH = "application/strategic-merge-patch+json", "application/apply-patch+yaml"


def request(site, method, target, body=None, *, kind=JSON, extra=b"", length=None):
    """Return one request; `body` is bytes or a JSON value, `extra` are further header lines."""
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [
        f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n".encode(),
        site.credentials,
        extra,
    ]
    if body is not None:
        lines.append(
            f"Content-Type: {kind}\r\nContent-Length: {len(data) if length is None else length}\r\n".encode()
        )
    return b"".join([*lines, b"\r\n", data])


def request_in_chunks(site, method, target, chunks, *, kind=JSON, extra=b"", trailers=b""):
    """Return a request whose body comes in chunks, with trailers after it."""
    framed = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks if chunk)
    head = request(
        site, method, target, extra=extra + f"Content-Type: {kind}\r\nTransfer-Encoding: chunked\r\n".encode()
    )
    return head + framed + b"0\r\n" + trailers + b"\r\n"


def config_map(name, **data):
    """Return a ConfigMap."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


def widget(name, **spec):
    """Return an object of a kind that keeps unknown fields."""
    return {"apiVersion": "attack.example.com/v1", "kind": "Widget", "metadata": {"name": name}, "spec": spec}


def pod(name, quantity):
    """Return a pod that asks for a quantity of memory."""
    container = {"name": "main", "image": "x", "resources": {"requests": {"memory": quantity}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {"containers": [container]},
    }
