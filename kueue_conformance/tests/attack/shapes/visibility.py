"""Requests for pending Workloads: at the port of the reference, there with the certificate of the front
proxy, and through the API server.
"""

from ..conversation import Conversation
from ..requests import CLUSTER_QUEUE, LOCAL_QUEUE, VISIBILITY, request, request_in_chunks
from .numbers import hostile
from .shape import Shape

PORT = frozenset({"visibility", "front-proxy"})
PROXY = frozenset({"front-proxy"})
EVERY_WAY = PORT | {"aggregated"}
HEAD_BYTES = 60_000
"""Nearly all that the port of the reference reads of one head."""
CLAUSES = (
    "*/*,",
    "a/b,",
    "a/*,",
    "application/json;as=Table,",
    "application/yaml;q=0,",
    "a/b;q=0.1;x=y;",
    "*/b,",
    ",",
    "a/b;;;=;,",
    "*;q=NaN,",
)
PIECES = (
    "..",
    ".",
    "",
    "%2e%2e",
    "%2F",
    "%00",
    "%",
    "%zz",
    "%ff",
    "%c0%af",
    "a" * 300,
    "watch",
    "proxy",
    "namespaces",
    "status",
    "é",
    "%F0%9F%98%80",
    ";x",
    "a%3Fb",
)
METHODS = ("BREW", "OPTIONS", "TRACE", "PUT", "PATCH", "DELETE", "get", "G" * 5_000, "PROPFIND", "PRI")
RUBBISH = (
    b"GET / HTTP/1.1\r\n\r\n",
    b"\x16\x03\x01\xff\xff" + b"\x01" * 60_000,
    b"\x16\x03\x01\x00\x00" * 5_000,
    b"\x16\x03\x03\x00\x05\x01\x00\x00",
    b"\x15\x03\x03\x00\x02\x02\x28",
    b"\x80" * 100_000,
    b"",
)


def numbers(site, random):
    """Offsets, limits and times that are no numbers, or too large for one."""
    pairs = [
        f"{random.choice(('limit', 'offset', 'timeout'))}={hostile(random)}{random.choice(('', '', 's', 'ns', 'h'))}"
        for _ in range(random.randint(1, 3))
    ]
    query = "&".join(pairs).encode("utf-8")[:HEAD_BYTES].decode("utf-8", "ignore")
    return Conversation(parts=(request(site, "GET", f"{_queue(random)}?{query}"),))


def queries(site, random):
    """As many pairs as a head holds."""
    pair = random.choice(("a&", "limit=1&", "%41=%42&", "exclude=%22&", ";&", "=&", "timeout=1s&"))
    target = random.choice((_queue(random), "/readyz"))
    return Conversation(parts=(request(site, "GET", f"{target}?{pair * (HEAD_BYTES // len(pair))}"),))


def paths(site, random):
    """Paths of many segments, encoded ones and those that lead upwards."""
    segments = [random.choice(PIECES) for _ in range(random.choice((1, 3, 8, 150)))]
    target = random.choice((f"{VISIBILITY}/v1beta2/", f"{VISIBILITY}/", "/debug/pprof/", "/")) + "/".join(
        segments
    )
    name = random.choice(("%41", "a", "%22", "/", "%E2%80%A8")) * random.randint(1_000, 19_000)
    named = f"{VISIBILITY}/v1beta2/clusterqueues/{name}/pendingworkloads"
    return Conversation(parts=(request(site, "GET", random.choice((target, target, named[:HEAD_BYTES]))),))


def accepts(site, random):
    """Clauses by the thousand, in orders in which each goes before many others."""
    first, second = random.choice(CLAUSES), random.choice(CLAUSES)
    half = HEAD_BYTES // 2
    rising = "".join(f"a/b;q=0.{number:05}," for number in range(HEAD_BYTES // 15))
    value = random.choice((first * (half // len(first)) + second * (half // len(second)), rising))
    name = random.choice(("Accept", "Accept", "Accept", "Accept-Encoding", "User-Agent"))
    target = random.choice((_queue(random), "/apis", "/openapi/v2", "/statusz"))
    return Conversation(parts=(request(site, "GET", target, extra=f"{name}: {value}\r\n".encode()),))


def identities(site, random):
    """Thousands of groups and of other properties of a user,
    as a front proxy or an impersonating client sends them.
    """
    lines = (
        b"X-Remote-Group: g%d\r\n",
        b"X-Remote-Extra-A: %d\r\n",
        b"X-Remote-Extra-%%41%d: a\r\n",
        b"X-Remote-User: u%d\r\n",
        b"Impersonate-Group: g%d\r\n",
        b"Impersonate-Extra-K%d: a\r\n",
        b"Impersonate-Extra-K: %d\r\n",
        b"X-Remote-Extra-%%zz%d: a\r\n",
    )
    line = random.choice(lines)
    extra = b"".join(line % number for number in range(random.randint(10, HEAD_BYTES // (len(line) + 4))))
    mask = random.choice((b"", b"Impersonate-User: someone\r\n", b"Impersonate-Uid: x\r\n"))
    return Conversation(parts=(request(site, "GET", _queue(random), extra=mask + extra),))


def users(site, random):
    """A new user with each request: what is remembered of users must not grow."""
    group = b"X-Remote-Group: " + b"g" * random.choice((1, 100, 30_000)) + b"\r\n"
    start, count = random.randrange(10**9), 40_000_000 // (len(group) * 400 + 60_000)
    responses = tuple(
        request(site, "GET", CLUSTER_QUEUE, extra=b"X-Remote-User: user-%d\r\n" % (start + number) + group)
        for number in range(min(count, 300))
    )
    return Conversation(parts=responses)


def tokens(site, random):
    """Tokens of a megabyte, and many unknown ones."""
    item = random.choice(("a", "é", "e30.", ".")) * random.choice((30_000, 1_000_000))
    several = [f"t{random.randrange(10**9)}" for _ in range(random.randint(10, 100))]
    anonymous = type(site)(name=site.name, port=site.port, certificate=site.certificate)
    return Conversation(
        parts=tuple(
            request(anonymous, "GET", CLUSTER_QUEUE, extra=f"Authorization: Bearer {token}\r\n".encode())
            for token in random.choice(((item,), several))
        )
    )


def methods(site, random):
    """Methods that are none, and bodies where none belong."""
    method = random.choice((*METHODS, "GET", "HEAD"))
    body = b"x" * random.choice((0, 1, 100_000, 3_000_000))
    if random.random() < 0.5:
        pieces = (request(site, method, _queue(random), body),)
    else:
        pieces = (request_in_chunks(site, method, _queue(random), [body[:10]] * random.randint(1, 20_000)),)
    return Conversation(parts=pieces)


def rubbish(site, random):
    """What is no TLS, or only the beginning of it."""
    return Conversation(
        parts=(random.choice(RUBBISH),),
        tls=False,
        is_whole=False,
        hold=random.uniform(0.1, 1.0),
        connections=random.randint(1, 60),
        half_close=random.random() < 0.3,
    )


def crowds(site, random):
    """Connections that say nothing or half of a request,
    by the hundred, and dozens that ask for a whole queue.
    """
    response = request(site, "GET", f"{CLUSTER_QUEUE}?limit=100000")
    text, most = random.choice((((), 250), ((response[:-2],), 250), ((response,), 60)))
    return Conversation(
        parts=text, reads=False, hold=random.uniform(0.2, 2.0), connections=random.randint(50, most)
    )


def unread(site, random):
    """Whole queues, asked for many times in one piece and never read."""
    response = request(site, "GET", f"{_queue(random)}?limit=100000&x={random.randrange(10**6)}")
    return Conversation(
        parts=(response * random.randint(20, 300),),
        reads=False,
        hold=random.uniform(0.5, 3.0),
        connections=random.randint(1, 8),
    )


def _queue(random):
    return random.choice(
        (CLUSTER_QUEUE, LOCAL_QUEUE, f"{VISIBILITY}/v1beta1/clusterqueues/none/pendingworkloads")
    )


SHAPES = (
    Shape("queue-numbers", numbers, EVERY_WAY),
    Shape("queue-queries", queries, EVERY_WAY),
    Shape("queue-paths", paths, EVERY_WAY),
    Shape("queue-accepts", accepts, EVERY_WAY),
    Shape("queue-identities", identities, EVERY_WAY),
    Shape("queue-users", users, PROXY),
    Shape("queue-tokens", tokens, EVERY_WAY),
    Shape("queue-methods", methods, EVERY_WAY),
    Shape("queue-rubbish", rubbish, frozenset({"visibility"})),
    Shape("queue-crowds", crowds, EVERY_WAY),
    Shape("queue-unread", unread, EVERY_WAY),
)
