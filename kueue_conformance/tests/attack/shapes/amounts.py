"""Very many small parts: values, fields of protobuf,
patterns, versions, characters that expressions double.
"""

from fakecluster.codec.protobuf.wire import block

from ..conversation import Conversation
from ..requests import (
    APPLY_PATCH,
    CONFIG_MAPS,
    DEFINITIONS,
    JSON,
    JSON_PATCH,
    MERGE_PATCH,
    PROTOBUF,
    STRATEGIC_PATCH,
    WIDGETS,
    YAML,
    request,
)
from .shape import Shape

LARGEST_BYTES = 3_000_000
PATTERNS = (r"[\p{L}\p{N}]" * 40, ".{0,1000}", r"\p{L}{200}", "(a{100}b){10}", "^[a-z]+$")


def protobuf(site, random):
    """Messages of up to a million and a half fields."""
    field = random.choice((b"\x12\x00", b"\xf8\x01\x00", b"\x0a\x00"))
    count = random.randint(10_000, LARGEST_BYTES // len(field))
    content = random.choice(
        (field * count, block(b"\x0a", random.choice((b"\x72\x00", b"\x6a\x00")) * (LARGEST_BYTES // 2)))
    )
    head = block(b"\x0a", b"v1") + block(b"\x12", b"ConfigMap")
    return _conversation(
        site, "POST", CONFIG_MAPS, b"k8s\x00" + block(b"\x0a", head) + block(b"\x12", content), PROTOBUF
    )


def values(site, random):
    """Lists and maps of up to a million values in every format, good or bad at their end."""
    value = random.choice((b"1,", b'"",', b"{},", b"[1],", b'"a\\n\\u0041",'))
    count = random.randint(10_000, LARGEST_BYTES // len(value))
    body = b"[" + value * count + random.choice((b"1]", b"x]", b""))
    pairs = b"{" + b",".join(b'"k%d":%b' % (number, value[:-1]) for number in range(count // 12)) + b"}"
    method, target, kind = random.choice(
        (
            ("POST", CONFIG_MAPS, JSON),
            ("POST", WIDGETS, JSON),
            ("POST", WIDGETS, YAML),
            *(
                ("PATCH", f"{WIDGETS}/target?fieldManager=m", kind)
                for kind in (APPLY_PATCH, JSON_PATCH, MERGE_PATCH)
            ),
            ("PATCH", f"{CONFIG_MAPS}/target", STRATEGIC_PATCH),
        )
    )
    return _conversation(site, method, target, random.choice((body, b'{"a":' + body + b"}", pairs)), kind)


def texts(site, random):
    """One long text, with escapes or without, in JSON that is bad at its end."""
    choice = random.choice((b"a", b"\\n", b"\\u0041", b"\xc3\xa9"))
    body = (
        b'{"a":"'
        + choice * random.randint(10_000, LARGEST_BYTES // len(choice))
        + random.choice((b'",}', b"\\x", b"", b'"'))
    )
    return _conversation(site, "POST", CONFIG_MAPS, body, JSON)


def patterns(site, random):
    """A definition with thousands of patterns, or with one large one."""
    pattern = random.choice(PATTERNS)
    count = random.randint(1, min(5_000, LARGEST_BYTES // (len(pattern) + 60)))
    several = {f"t{number}": {"type": "string", "pattern": f"{pattern}{number}"} for number in range(count)}
    item = {"t": {"type": "string", "pattern": pattern * random.randint(1, 1_000_000 // len(pattern))}}
    return _definition(site, random, [_version("v1", random.choice((several, item)))])


def versions(site, random):
    """A definition of up to three thousand versions."""
    return _definition(
        site, random, [_version(f"v{number}", {}) for number in range(1, random.randint(3, 3_000))]
    )


def doubling(site, random):
    """A rule that doubles a text."""
    rule = "[self.t]" + ".map(s, s + s)" * random.randint(4, 40) + "[0].size() > 0"
    version = _version("v1", {"t": {"type": "string", "maxLength": random.choice((1, 100, 10_000))}})
    version["schema"]["openAPIV3Schema"]["properties"]["spec"]["x-kubernetes-validations"] = [{"rule": rule}]
    return _definition(site, random, [version])


def _version(name, properties):
    spec = {"type": "object", "properties": properties}
    schema = {"type": "object", "properties": {"spec": spec}}
    return {"name": name, "served": True, "storage": name == "v1", "schema": {"openAPIV3Schema": schema}}


def _definition(site, random, versions):
    name = f"amounts{random.randrange(10)}"
    body = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{name}.attack.example.com"},
        "spec": {
            "group": "attack.example.com",
            "scope": "Namespaced",
            "names": {"plural": name, "kind": name.title()},
            "versions": versions,
        },
    }
    return _conversation(site, "POST", f"{DEFINITIONS}?dryRun=All", body, JSON)


def _conversation(site, method, target, body, kind):
    return Conversation(parts=(request(site, method, target, body, kind=kind),))


SHAPES = (
    Shape("many-fields", protobuf),
    Shape("many-values", values),
    Shape("long-bad-json", texts),
    Shape("many-patterns", patterns),
    Shape("many-versions", versions),
    Shape("doubled-texts", doubling),
)
