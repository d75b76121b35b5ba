"""Reviews that no API server sends."""

from ..conversation import Conversation
from ..requests import request
from .numbers import hostile
from .shape import Shape

PATHS = (
    "/mutate-kueue-x-k8s-io-v1beta2-workload",
    "/validate-kueue-x-k8s-io-v1beta2-workload",
    "/validate-kueue-x-k8s-io-v1beta2-clusterqueue",
    "/mutate-batch-v1-job",
    "/convert",
    "/",
    "/../x",
)


def wrong(site, random):
    """Reviews with parts of the wrong type."""
    values = (
        None,
        1,
        "a",
        [],
        {},
        [[]],
        True,
        {"spec": None},
        {"spec": {"podSets": 1}},
        {"spec": {"podSets": [{"count": -(2**70)}]}},
        {"metadata": []},
    )
    review_request = {
        "uid": random.choice(values),
        "object": random.choice(values),
        "oldObject": random.choice(values),
        "operation": random.choice(("CREATE", "UPDATE", 1, "")),
        "kind": random.choice(values),
        "resource": random.choice(values),
    }
    body = {
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": random.choice((review_request, review_request, None, [], 1)),
    }
    return Conversation(parts=(request(site, "POST", random.choice(PATHS), body),))


def bytes_of_reviews(site, random):
    """Bodies that are no JSON, too deep, too large or full of hostile numbers."""
    levels = random.choice((1_000, 100_000))
    body = random.choice(
        (
            b"",
            b"{",
            b"[" * levels,
            b'{"a":' * levels,
            b'{"request": {"object": %b}}' % hostile(random).encode(),
            b"\xff" * 100,
            b" " * random.randint(10**6, 18 * 10**6),
        )
    )
    return Conversation(parts=(request(site, "POST", random.choice(PATHS), body),))


WEBHOOKS = frozenset({"webhooks"})
SHAPES = (Shape("wrong-reviews", wrong, WEBHOOKS), Shape("bytes-for-reviews", bytes_of_reviews, WEBHOOKS))
