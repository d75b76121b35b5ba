"""Patches that make much of little."""

from ..conversation import Conversation
from ..requests import (
    APPLY_PATCH,
    CONFIG_MAPS,
    JSON_PATCH,
    MERGE_PATCH,
    PODS,
    STRATEGIC_PATCH,
    WIDGETS,
    request,
    widget,
)
from .shape import Shape


def doubling(site, random):
    """Copies of everything into a part of it."""
    name, field = random.choice((("configmaps", "data"), ("widgets", "spec")))
    target = f"{CONFIG_MAPS if name == 'configmaps' else WIDGETS}/target"
    operations = [
        {"op": "copy", "from": f"/{field}", "path": f"/{field}/b{number}"}
        for number in range(random.randint(10, 60))
    ]
    return Conversation(parts=(request(site, "PATCH", target, operations, kind=JSON_PATCH),))


def copies(site, random):
    """Many copies of one large value."""
    operations = [{"op": "add", "path": "/data/large", "value": "a" * random.randint(10_000, 900_000)}]
    operations += [
        {"op": "copy", "from": "/data/large", "path": f"/data/c{number}"}
        for number in range(random.randint(2, 60))
    ]
    return Conversation(
        parts=(request(site, "PATCH", f"{CONFIG_MAPS}/target?dryRun=All", operations, kind=JSON_PATCH),)
    )


def front_insertions(site, random):
    """Thousands of insertions at the front of a list."""
    operations = [{"op": "add", "path": "/spec/list", "value": []}]
    operations += [
        {"op": "add", "path": f"/spec/list/{random.choice((0, '-'))}", "value": {"n": 1}}
    ] * random.choice((500, 5_000, 9_999, 10_000))
    return Conversation(
        parts=(request(site, "PATCH", f"{WIDGETS}/target?dryRun=All", operations, kind=JSON_PATCH),)
    )


def directives(site, random):
    """Directives of a strategic merge patch with values of the wrong shape."""
    wrong = random.choice((1, "a", None, [], {}, [1], [[1]], [{"a": 1}], True, 1.5, {"name": 1}))
    name = random.choice(
        (
            "$setElementOrder/containers",
            "$patch",
            "$retainKeys",
            "$deleteFromPrimitiveList/finalizers",
            "$setElementOrder/x",
        )
    )
    inner = {name: wrong, "containers": random.choice((wrong, [wrong], [{"name": "a", "$patch": wrong}]))}
    return Conversation(
        parts=(
            request(
                site, "PATCH", f"{PODS}/target", random.choice(({"spec": inner}, inner)), kind=STRATEGIC_PATCH
            ),
        )
    )


def owners(site, random):
    """Applies of many fields by many managers, and owners that are written by hand."""
    if random.random() < 0.5:
        fields = {f"f{number}": number for number in range(random.randint(100, 5_000))}
        target = f"{WIDGETS}/applied?fieldManager=m{random.randrange(50)}&force=true"
        return Conversation(
            parts=(request(site, "PATCH", target, widget("applied", any=fields), kind=APPLY_PATCH),)
        )
    wrong = random.choice(
        (
            {"f:a": 1},
            {"k:{": {}},
            {"v:": {}},
            {"i:99999999999999999999": {}},
            {".": {}},
            [],
            {"f:" + "a" * 10_000: {}},
        )
    )
    entry = {
        "manager": "m",
        "operation": "Apply",
        "apiVersion": "v1",
        "fieldsType": "FieldsV1",
        "fieldsV1": wrong,
    }
    return Conversation(
        parts=(
            request(
                site,
                "PATCH",
                f"{CONFIG_MAPS}/target",
                {"metadata": {"managedFields": [entry] * random.randint(1, 200)}},
                kind=MERGE_PATCH,
            ),
        )
    )


SHAPES = (
    Shape("doubling-copies", doubling),
    Shape("many-copies", copies),
    Shape("insertions-at-the-front", front_insertions),
    Shape("wrong-directives", directives),
    Shape("hostile-owners", owners),
)
