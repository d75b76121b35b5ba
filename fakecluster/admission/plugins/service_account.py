"""ServiceAccount: a pod has an account, the account's token,
and no other secrets where that is asked (FK-463).

The account `default` of a namespace counts as present: the controller that makes it runs wherever this plugin
does, and the real server waits for it.
"""

from __future__ import annotations

from ...api import status
from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from ...kinds.core.pod import secret_references
from ...meta import names
from .plugin import PODS, Plugin, forbidden

ACCOUNTS = ("", "serviceaccounts")
DEFAULT_ACCOUNT = "default"
MIRROR_ANNOTATION = "kubernetes.io/config.mirror"
ENFORCE_ANNOTATION = "kubernetes.io/enforce-mountable-secrets"
TRUE_VALUES = frozenset({"1", "t", "T", "TRUE", "true", "True"})
API_ACCESS_VOLUME = "kube-api-access-"
MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount"
TOKEN_SECONDS = 3607
TOKEN_SOURCES = (
    {"serviceAccountToken": {"expirationSeconds": TOKEN_SECONDS, "path": "token"}},
    {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
    {
        "downwardAPI": {
            "items": [
                {"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}
            ]
        }
    },
)
PROJECTED_VOLUME = {"sources": [*TOKEN_SOURCES], "defaultMode": 420}
CONTAINER_FIELDS = ("initContainers", "containers")


def assign_account(api: Context, review: Review, pod: Json) -> Json:
    """Return a new pod with its account,
    the account's pull secrets and a volume with its token. Raises 403.
    """
    # Only in creation: the account of a pod never changes.
    if review.operation != "CREATE":
        return pod
    # A mirror pod is the copy of one that a kubelet runs by itself, without an account.
    if not _is_mirror(pod):
        spec = pod["spec"]
        name = spec.get("serviceAccountName") or DEFAULT_ACCOUNT
        account = _account(api, review, name)
        added = {"serviceAccountName": name, "serviceAccount": name}
        # Own pull secrets replace those of the account; they are not added to them.
        if not spec.get("imagePullSecrets") and (pull_secrets := account.get("imagePullSecrets")):
            added["imagePullSecrets"] = [{"name": secret.get("name", "")} for secret in pull_secrets]
        if _mounts_token(spec, account):
            added |= _with_token(api, spec)
        pod = {**pod, "spec": {**spec, **added}}
    _check(api, review, pod)
    return pod


def check_account(api: Context, review: Review) -> None:
    """Check a new pod, or new ephemeral containers, against what their account may mount. Raises 403."""
    if review.operation == "CREATE":
        _check(api, review, review.new)
    elif review.subresource:
        _check_ephemeral(api, review)


def _account(api: Context, review: Review, name: str) -> Json:
    stored = api.store.get(ACCOUNTS, (review.namespace, name))
    if stored is not None:
        return stored.object
    if name == DEFAULT_ACCOUNT:
        return {"metadata": {"name": DEFAULT_ACCOUNT}}
    why = f'error looking up service account {review.namespace}/{name}: serviceaccount "{name}" not found'
    raise forbidden(review, why)


def _is_mirror(pod: Json) -> bool:
    return MIRROR_ANNOTATION in (pod["metadata"].get("annotations") or {})


def _mounts_token(spec: Json, account: Json) -> bool:
    # The pod's word comes before the account's; without either the token is mounted.
    for owner in (spec, account):
        if (automount := owner.get("automountServiceAccountToken")) is not None:
            return bool(automount)
    return True


def _with_token(api: Context, spec: Json) -> Json:
    """Return the containers that mount the token, and the volumes with it;
    a mount at its path keeps it away.
    """
    volumes = spec.get("volumes") or []
    # A volume of an earlier admission is used again, so that a pod is not given two.
    own = next((volume["name"] for volume in volumes if volume["name"].startswith(API_ACCESS_VOLUME)), "")
    name = own or names.generate_name(API_ACCESS_VOLUME, api.random)
    mount = {"name": name, "readOnly": True, "mountPath": MOUNT_PATH}
    mounting = {
        member: [_with_mount(container, mount) for container in spec[member]]
        for member in CONTAINER_FIELDS
        if spec.get(member)
    }
    # Every container mounts something at the path already: the volume would not be used.
    if own or all(containers == spec[member] for member, containers in mounting.items()):
        return mounting
    return {**mounting, "volumes": [*volumes, {"name": name, "projected": PROJECTED_VOLUME}]}


def _with_mount(container: Json, mount: Json) -> Json:
    mounts = container.get("volumeMounts") or []
    if any(present.get("mountPath") == MOUNT_PATH for present in mounts):
        return container
    return {**container, "volumeMounts": [*mounts, mount]}


def _check(api: Context, review: Review, pod: Json) -> None:
    if _is_mirror(pod):
        _check_mirror(review, pod)
        return
    account = _account_of(api, review, pod)
    if _limits_secrets(account) and (why := secret_references.first_beyond_account(pod["spec"], account)):
        raise forbidden(review, why)


def _check_ephemeral(api: Context, review: Review) -> None:
    # The real plugin forgets to say 403 here, so its reason is passed on as an internal error.
    account = _account_of(api, review, review.new)
    if _limits_secrets(account) and (
        why := secret_references.of_ephemeral_beyond(review.new["spec"], account)
    ):
        raise status.raw(why)


def _account_of(api: Context, review: Review, pod: Json) -> Json:
    name = pod["spec"].get("serviceAccountName")
    if not name:
        raise forbidden(review, f"no service account specified for pod {review.namespace}/{review.name}")
    return _account(api, review, name)


def _limits_secrets(account: Json) -> bool:
    # The real plugin parses the annotation with strconv.ParseBool.
    return (account["metadata"].get("annotations") or {}).get(ENFORCE_ANNOTATION) in TRUE_VALUES


def _check_mirror(review: Review, pod: Json) -> None:
    """Check that the copy of a kubelet's own pod names nothing of the API."""
    if pod["spec"].get("serviceAccountName"):
        raise forbidden(review, "a mirror pod may not reference service accounts")
    if any(secret_references.names(pod["spec"])):
        raise forbidden(review, "a mirror pod may not reference secrets")
    for volume in pod["spec"].get("volumes") or ():
        sources = (volume.get("projected") or {}).get("sources") or ()
        if any(source.get("serviceAccountToken") for source in sources):
            raise forbidden(review, "a mirror pod may not use ServiceAccountToken volume projections")


PLUGIN = Plugin(
    name="ServiceAccount",
    mutates={PODS: assign_account},
    validates={PODS: check_account, ("", "pods", "ephemeralcontainers"): check_account},
)
