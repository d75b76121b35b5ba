"""Rights of very many subjects, groups and names: what is asked is compared with what is stored."""

from ..conversation import Conversation
from ..requests import NAMESPACE, PODS, request
from .shape import Shape

GROUP = "rbac.authorization.k8s.io"
BINDINGS, ROLES = (
    f"/apis/{GROUP}/v1/namespaces/{NAMESPACE}/{plural}" for plural in ("rolebindings", "roles")
)
REVIEWS = f"/apis/authorization.k8s.io/v1/namespaces/{NAMESPACE}/localsubjectaccessreviews"
LARGEST_HEAD_BYTES = 900_000


def reviews(site, random):
    """Bindings of thousands of subjects, and reviews of users in as many groups."""
    name, count = f"wide-{random.randrange(20)}", random.randint(1_000, 14_000)
    kind = random.choice(("Group", "User", "ServiceAccount"))
    api_group = {} if kind == "ServiceAccount" else {"apiGroup": GROUP}
    binding = {
        "apiVersion": f"{GROUP}/v1",
        "kind": "RoleBinding",
        "metadata": {"name": name},
        "roleRef": {"apiGroup": GROUP, "kind": "ClusterRole", "name": "view"},
        "subjects": [{"kind": kind, "name": f"{name}-{number}", **api_group} for number in range(count)],
    }
    review = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "LocalSubjectAccessReview",
        "metadata": {"namespace": NAMESPACE},
        "spec": {
            "user": "u",
            "groups": [f"g-{number}" for number in range(random.randint(1_000, 20_000))],
            "resourceAttributes": {"namespace": NAMESPACE, "verb": "get", "resource": "pods"},
        },
    }
    return Conversation(
        parts=(request(site, "POST", BINDINGS, binding), request(site, "POST", REVIEWS, review))
    )


def impersonations(site, random):
    """Requests as a user of thousands of groups or extra fields."""
    header = random.choice(
        ("Impersonate-Group: g{}\r\n", "Impersonate-Extra-K{}: v\r\n", "Impersonate-Extra-K: v{}\r\n")
    )
    count = random.randint(1_000, LARGEST_HEAD_BYTES // (len(header) + 5))
    names = "".join(header.format(number) for number in range(count))
    extra = f"Impersonate-User: target\r\n{names}".encode()
    return Conversation(parts=(request(site, "GET", PODS, extra=extra),))


def grants(site, random):
    """Roles whose rules are products of hundreds of words."""
    verbs, groups, resources, names = (
        [f"{letter}{number}" for number in range(random.choice((1, 10, 300)))] for letter in "vgrn"
    )
    rules = [{"verbs": verbs, "apiGroups": groups, "resources": resources, "resourceNames": names}]
    role = {"apiVersion": f"{GROUP}/v1", "kind": "Role", "metadata": {"name": "product"}, "rules": rules}
    return Conversation(parts=(request(site, "POST", f"{ROLES}?dryRun=All", role),))


SERVE = frozenset({"serve"})
SHAPES = (
    Shape("many-subjects", reviews, SERVE),
    Shape("many-impersonated", impersonations, SERVE),
    Shape("many-grants", grants, SERVE),
)
