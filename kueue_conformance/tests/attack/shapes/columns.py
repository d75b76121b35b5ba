"""Printer columns whose paths look at the same values again and again."""

from ..conversation import Conversation
from ..requests import DEFINITIONS, NAMESPACE, request
from .shape import Shape

PATHS = (
    "." + "..[*].l" * 9,
    "..a..a..a..a",
    ".spec.l" + "[:]" + " 1" * 500,
    ".spec.l[" + ",".join([":"] * 500) + "]",
    ".spec.l[?(@.a)]",
    ".spec.l[?(@.a..a..a=='x')].b",
    ".spec" + ".x" * 10_000,
    ".spec.t.*",
    "..",
    ".spec.l[*]..",
    ".spec.l[?(" + "@.a" * 500 + ")]",
    ".[" * 500,
    ".spec.l['" + "a.." * 500 + "']",
)
TABLE = b"Accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n"
LARGEST = 2_000


def nest(depth):
    """Return maps within maps of one name."""
    value = {"a": "x"}
    for _ in range(depth):
        value = {"a": value, "b": [value]} if depth < 10 else {"a": value}
    return value


def columns(site, random):
    """A definition with hostile columns, an object with many values, and tables of it."""
    name = f"columned{random.randrange(10)}"
    path = random.choice(PATHS)
    shown = [
        {"name": f"c{number}", "type": "string", "jsonPath": path} for number in range(random.randint(1, 20))
    ]
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{name}.attack.example.com"},
        "spec": {
            "group": "attack.example.com",
            "scope": "Namespaced",
            "names": {"plural": name, "kind": name.title()},
            "versions": [{**version, "additionalPrinterColumns": shown}],
        },
    }
    items = [nest(random.randrange(4)) for _ in range(random.randint(1, LARGEST))]
    spec = {"l": items, "a": nest(random.randint(10, 100)), "t": "x" * random.randint(1, 500_000)}
    document = {
        "apiVersion": "attack.example.com/v1",
        "kind": name.title(),
        "metadata": {"generateName": "x"},
        "spec": spec,
    }
    where = f"/apis/attack.example.com/v1/namespaces/{NAMESPACE}/{name}"
    return Conversation(
        parts=(
            request(site, "POST", DEFINITIONS, definition),
            request(site, "POST", where, document),
            request(site, "GET", f"{where}?limit={random.randint(1, 3)}", extra=TABLE),
            request(site, "DELETE", f"{DEFINITIONS}/{name}.attack.example.com"),
        )
    )


SHAPES = (Shape("hostile-columns", columns),)
