"""Small requests that cost much: YAML, patterns, expressions, selectors."""

from ..conversation import Conversation
from ..requests import CONFIG_MAPS, DEFINITIONS, WIDGETS, YAML, request, widget
from .shape import Shape

PATTERNS = (
    "(" * 2_000,
    "(a+)+$",
    ".{0,1000}.{0,1000}.{0,1000}x",
    "a{1000}{1000}",
    "(?=a)b",
    "[" * 500,
    "(a|aa)*" * 200,
    "\\",
    "(?P<a>x)" * 999,
)
EXPRESSIONS = (
    "lists.range(1000000000).size() > 0",
    "self.text.matches('(a+)+$')",
    "[1,2,3].all(a, [1,2,3].all(b, [1,2,3].all(c, true)))",
    "self.text.split('').map(x, self.text).size() > 0",
    "'a' + " * 5_000 + "'a' == 'a'",
    "(" * 1_000 + "true" + ")" * 1_000,
    "self.list.map(x, self.list.map(y, self.list)).size() >= 0",
)


def yaml(site, random):
    """Large YAML lists and aliases."""
    lines = random.choice((b"- a\n", b"- {a: b}\n", b"- [a, b]\n", b"  - 'x'\n", b"a\n"))
    aliases = b"".join(
        b"a%d: &a%d [%b]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9) if n else b"x")
        for n in range(random.randint(2, 40))
    )
    body = random.choice((lines * (random.randint(100_000, 2_000_000) // len(lines)), aliases))
    return Conversation(parts=(request(site, "POST", WIDGETS, body, kind=YAML),))


def texts(site, random):
    """Long texts for a pattern to be matched against."""
    text = random.choice(("a", "ab", "\n", "é")) * random.randint(1_000, 80_000)
    return Conversation(
        parts=(
            request(
                site,
                "POST",
                f"{WIDGETS}?dryRun=All",
                widget("text", text=text, list=["a"] * random.randint(1, 500)),
            ),
        )
    )


def definitions(site, random):
    """Definitions whose schema holds a hostile pattern or rule."""
    name = f"hostile{random.randrange(10)}"
    properties = {
        "text": {"type": "string", "pattern": random.choice(PATTERNS)},
        "list": {"type": "array", "items": {"type": "string"}},
    }
    schema = {
        "type": "object",
        "properties": {
            "spec": {
                "type": "object",
                "properties": properties,
                "x-kubernetes-validations": [{"rule": random.choice(EXPRESSIONS)}],
            }
        },
    }
    spec = {
        "group": "attack.example.com",
        "scope": "Namespaced",
        "names": {"plural": name, "kind": name.title()},
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
    }
    body = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{name}.attack.example.com"},
        "spec": spec,
    }
    return Conversation(parts=(request(site, "POST", f"{DEFINITIONS}?dryRun=All", body),))


def selectors(site, random):
    """Selectors of many terms."""
    term = random.choice(("a=b", "a in (b,c)", "!a", "a notin (x)", "metadata.name=a", "("))
    query = ",".join([term] * random.randint(10, 20_000)).replace(" ", "%20")
    return Conversation(
        parts=(
            request(
                site, "GET", f"{CONFIG_MAPS}?{random.choice(('labelSelector', 'fieldSelector'))}={query}"
            ),
        )
    )


SHAPES = (
    Shape("large-yaml", yaml),
    Shape("long-texts", texts),
    Shape("hostile-definitions", definitions),
    Shape("many-terms", selectors),
)
