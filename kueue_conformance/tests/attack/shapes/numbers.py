"""Numbers with more digits and larger exponents than anything needs, wherever numbers are read."""

from ..conversation import Conversation
from ..requests import APPLY_PATCH, CONFIG_MAPS, JSON_PATCH, PODS, QUOTAS, WIDGETS, YAML, pod, request, widget
from .shape import Shape

PARAMETERS = (
    "limit",
    "timeoutSeconds",
    "resourceVersion",
    "gracePeriodSeconds",
    "timeout",
    "watch",
    "tailLines",
    "sinceSeconds",
)


def hostile(random):
    """Return a number as text."""
    digits = random.choice("123456789") * random.choice((19, 20, 309, 4301, 30_000))
    return random.choice(
        (
            f"1e{random.choice((20, 400, 4_300, 1_000_000, 10**9, 10**18))}",
            f"1e-{random.choice((20, 400, 1_000_000))}",
            digits,
            f"-{digits}",
            f"0.{digits}",
            f"{digits}e{digits[:5]}",
            "9223372036854775808",
            "-9223372036854775809",
            "NaN",
            "Infinity",
            "1E",
            "1Ei",
            "0x1p-2",
            "1_000",
            "٣",
            "²",
        )
    )


def quantities(site, random):
    """Quantities in pods and quotas."""
    text = hostile(random) + random.choice(("", "", "Ki", "Ei", "m", "n", "E"))
    if random.random() < 0.5:
        return Conversation(parts=(request(site, "POST", f"{PODS}?dryRun=All", pod("numbers", text)),))
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "numbers"},
        "spec": {"hard": {"pods": text, "cpu": hostile(random)}},
    }
    return Conversation(parts=(request(site, "POST", f"{QUOTAS}?dryRun=All", quota),))


def parameters(site, random):
    """Numbers in a query."""
    query = f"{random.choice(PARAMETERS)}={hostile(random)}"
    method, target = random.choice(
        (
            ("GET", CONFIG_MAPS),
            ("DELETE", f"{CONFIG_MAPS}/none"),
            ("GET", f"{PODS}/none/log"),
            ("POST", CONFIG_MAPS),
        )
    )
    return Conversation(parts=(request(site, method, f"{target}?{query}", {} if method == "POST" else None),))


def bodies(site, random):
    """Bare numbers in a body, of fields that are numbers and of others."""
    text = hostile(random)
    template = widget("numbers", number="@", any={"a": "@"})
    body = str(template).replace("'@'", text).replace("'", '"').encode()
    kind, method, target = random.choice(
        (
            ("application/json", "POST", WIDGETS),
            (YAML, "POST", WIDGETS),
            (APPLY_PATCH, "PATCH", f"{WIDGETS}/numbers"),
        )
    )
    return Conversation(
        parts=(request(site, method, f"{target}?dryRun=All&fieldManager=m", body, kind=kind),)
    )


def indexes(site, random):
    """Indexes of a JSON patch, and options of a deletion."""
    if random.random() < 0.5:
        operation = {
            "op": random.choice(("add", "remove", "test", "move")),
            "path": f"/spec/list/{hostile(random)}",
            "from": "/spec/list/0",
            "value": 1,
        }
        return Conversation(
            parts=(request(site, "PATCH", f"{WIDGETS}/target", [operation], kind=JSON_PATCH),)
        )
    body = f'{{"gracePeriodSeconds": {hostile(random)}, "preconditions": {{"resourceVersion": "{hostile(random)}"}}}}'.encode()
    return Conversation(parts=(request(site, "DELETE", f"{CONFIG_MAPS}/none", body),))


SHAPES = (
    Shape("hostile-quantities", quantities),
    Shape("hostile-parameters", parameters),
    Shape("hostile-numbers-in-bodies", bodies),
    Shape("hostile-indexes", indexes),
)
