"""Work that is a product of two sizes: each is small, and together they kept every other client waiting."""

from ..conversation import Conversation
from ..requests import (
    CONFIG_MAPS,
    LEASES,
    PODS,
    REVIEWS,
    WIDGETS,
    config_map,
    pod,
    request,
    widget,
)
from .shape import Shape
from .upgrades import SMUGGLED

SERVE = frozenset({"serve"})


def alternatives(site, random):
    """Items that fit none of 500 alternatives of a schema."""
    items = ["x"] * random.choice((100, 2_000, 10_000))
    return _conversation(site, "POST", f"{WIDGETS}?dryRun=All", widget("products", choices=items))


def lists_of_pods(site, random):
    """Pods with thousands of items in one list, good ones and bad ones."""
    count, good = random.randint(1_000, 12_000), random.random() < 0.7
    word = "k" if good else "K!"
    lists = {
        "topologySpreadConstraints": {"maxSkew": 1, "topologyKey": "@", "whenUnsatisfiable": "DoNotSchedule"},
        "resourceClaims": {"name": "@", "resourceClaimName": "x"},
        "tolerations": {"key": "@", "operator": "Exists"},
        "volumes": {"name": "@", "emptyDir": {}},
        "hostAliases": {"ip": "127.0.0.1", "hostnames": ["@"]},
        "schedulingGates": {"name": "@"},
    }
    name, item = random.choice(sorted(lists.items()))
    items = [
        {key: f"{word}{number}" if value == "@" else value for key, value in item.items()}
        for number in range(count)
    ]
    body = pod("products", "1")
    body["spec"] |= {name: items}
    if name == "resourceClaims":
        body["spec"]["containers"][0]["resources"]["claims"] = [
            {"name": f"z{number}"} for number in range(count)
        ]
    return _conversation(site, "POST", f"{PODS}?dryRun=All", body)


def managers(site, random):
    """Thousands of field managers, each with a field of its own."""
    entries = [
        {
            "manager": f"m{number}",
            "operation": "Update",
            "apiVersion": "v1",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:data": {f"f:k{number}": {}}},
        }
        for number in range(random.randint(500, 6_000))
    ]
    body = config_map("managers")
    body["metadata"]["managedFields"] = entries
    return _conversation(site, "POST", f"{CONFIG_MAPS}?dryRun=All", body)


def groups(site, random):
    """An access review for a user with thousands of groups."""
    spec = {
        "user": "x",
        "groups": [f"g{number}" for number in range(random.randint(1_000, 20_000))],
        "resourceAttributes": {"verb": "get", "resource": "pods"},
    }
    return _conversation(
        site,
        "POST",
        REVIEWS,
        {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec},
    )


def journal(site, random):
    """The whole journal, in every form, by one who may read it."""
    form = random.choice(("jsonl", "har", "audit", "markdown"))
    return Conversation(parts=(request(site, "GET", f"/_fakecluster/journal?format={form}"),))


def creating_updates(site, random):
    """A PUT and an apply of names that are not there, by one who may update alone."""
    name = f"{SMUGGLED}{random.randrange(100)}"
    lease = {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": name}, "spec": {}}
    method, kind = random.choice((("PUT", "application/json"), ("PATCH", "application/apply-patch+yaml")))
    return Conversation(parts=(request(site, method, f"{LEASES}/{name}?fieldManager=m", lease, kind=kind),))


def _conversation(site, method, target, body):
    return Conversation(parts=(request(site, method, target, body),))


SHAPES = (
    Shape("alternatives-times-items", alternatives),
    Shape("long-lists-of-pods", lists_of_pods),
    Shape("many-managers", managers),
    Shape("many-groups", groups, SERVE),
    Shape("whole-journal", journal, frozenset({"laboratory"})),
    Shape("updates-that-create", creating_updates, frozenset({"updater"})),
)
