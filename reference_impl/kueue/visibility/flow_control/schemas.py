"""FlowSchemas: which requests they match, and what tells one flow from another (VIS-602)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....api.resource import Json
from ..attributes import Attributes, User

EVERY = "*"
ACCOUNT = "system:serviceaccount"
DEFAULT_PRECEDENCE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """A FlowSchema.

    Of those that match a request, the one with the lowest precedence counts, then the first by name.
    """

    name: str
    uid: str
    precedence: int
    level: str
    """The name of its priority level, which need not exist (VIS-612)."""
    distinguisher: str
    """`ByUser`, `ByNamespace`, or empty: all requests are one flow."""
    rules: tuple[Json, ...]

    @classmethod
    def of(cls, obj: Json) -> Schema:
        """Read a FlowSchema."""
        metadata, spec = obj["metadata"], obj["spec"]
        return cls(
            name=metadata["name"],
            uid=metadata.get("uid", ""),
            precedence=spec.get("matchingPrecedence") or DEFAULT_PRECEDENCE,
            level=spec["priorityLevelConfiguration"]["name"],
            distinguisher=(spec.get("distinguisherMethod") or {}).get("type", ""),
            rules=tuple(spec.get("rules") or ()),
        )

    def matches(self, user: User, attributes: Attributes) -> bool:
        """Tell whether a request belongs to it."""
        return any(_rule_matches(rule, user, attributes) for rule in self.rules)

    def flow(self, user: User, attributes: Attributes) -> str:
        """Return what tells the flow of a request from the other flows of this schema."""
        match self.distinguisher:
            case "ByUser":
                return user.name
            case "ByNamespace":
                return attributes.namespace
        return ""


def _rule_matches(rule: Json, user: User, attributes: Attributes) -> bool:
    if not any(_is_subject(subject, user) for subject in rule.get("subjects") or ()):
        return False
    if attributes.is_resource:
        return any(_covers_resource(rule_, attributes) for rule_ in rule.get("resourceRules") or ())
    return any(_covers_path(rule_, attributes) for rule_ in rule.get("nonResourceRules") or ())


def _is_subject(subject: Json, user: User) -> bool:
    match subject.get("kind"):
        case "User":
            return subject["user"]["name"] in (EVERY, user.name)
        case "Group":
            name = subject["group"]["name"]
            return name == EVERY or name in user.groups
        case "ServiceAccount":
            account = subject["serviceAccount"]
            prefix = f"{ACCOUNT}:{account['namespace']}:"
            if account["name"] == EVERY:
                return user.name.startswith(prefix)
            return user.name == f"{prefix}{account['name']}"
    return False


def _covers_resource(rule: Json, attributes: Attributes) -> bool:
    resource = "/".join(segment for segment in (attributes.resource, attributes.subresource) if segment)
    in_place = (
        _has(rule.get("namespaces"), attributes.namespace)
        if attributes.namespace
        else bool(rule.get("clusterScope"))
    )
    return (
        in_place
        and _has(rule.get("verbs"), attributes.verb)
        and _has(rule.get("apiGroups"), attributes.group)
        and _has(rule.get("resources"), resource)
    )


def _covers_path(rule: Json, attributes: Attributes) -> bool:
    urls = rule.get("nonResourceURLs") or ()
    return _has(rule.get("verbs"), attributes.verb) and any(_is_below(attributes.path, url) for url in urls)


def _is_below(path: str, url: str) -> bool:
    """Tell whether a URL of a rule covers a path: `*` all, any other itself and paths below it."""
    # `/healthz` covers `/healthz/etcd`: the real matching is by prefix of whole
    # segments.
    return url in {EVERY, path} or path.startswith(f"{url.removesuffix(EVERY).removesuffix('/')}/")


def _has(words: Sequence[str] | None, word: str) -> bool:
    return words is not None and (EVERY in words or word in words)
