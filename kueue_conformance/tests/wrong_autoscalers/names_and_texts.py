"""Wrong about names that are easily mistaken for each other."""

from reference_impl.autoscaler.requests.request_cache import RequestCache

from ..killing.planes import wrong

LABEL_LENGTH = 63


@wrong((RequestCache, "read"))
def knows_requests_by_their_first_63_characters(read, cache, key):
    """Breaks PR-380: takes a request for the first one of its beginning;
    PRQ-050[check-check-drawn] must catch it.
    """
    return read(
        cache,
        min(
            other for other in (key, *cache._requests) if other.name[:LABEL_LENGTH] == key.name[:LABEL_LENGTH]
        ),
    )


@wrong((RequestCache, "read"))
def knows_requests_by_what_precedes_a_dot(read, cache, key):
    """Breaks PR-380: takes a request for the first one of the same name up to the first dot;
    PRQ-050[check-check-drawn] must catch it.
    """
    beginning = key.name.partition(".")[0]
    return read(
        cache, min(other for other in (key, *cache._requests) if other.name.partition(".")[0] == beginning)
    )


@wrong((RequestCache, "read"))
def knows_requests_by_what_follows_a_dash(read, cache, key):
    """Breaks PR-380: takes a request for the first one of the same name after the last dash;
    PRQ-050[check-check-drawn] must catch it.
    """
    end = key.name.rpartition("-")[2]
    return read(
        cache, min(other for other in (key, *cache._requests) if other.name.rpartition("-")[2] == end)
    )
