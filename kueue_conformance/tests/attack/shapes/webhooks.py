"""Writes and reads for which a hostile server is asked: as a webhook, and for conversions."""

from ..conversation import Conversation
from ..hostile_hooks import LABEL, object_of, path
from ..hostile_server import ALL
from ..requests import CONFIG_MAPS, config_map, request
from .shape import Shape


def webhooks(site, random):
    """A ConfigMap about which a hostile webhook is asked, often several times at once."""
    body = config_map(f"hooked{random.randrange(1_000)}", a="b")
    body["metadata"]["labels"] = {LABEL: random.choice(ALL)}
    dry_run = random.choice(("", "?dryRun=All"))
    return Conversation(
        parts=(request(site, "POST", f"{CONFIG_MAPS}{dry_run}", body),), connections=random.choice((1, 1, 5))
    )


def conversions(site, random):
    """Objects that a hostile webhook converts: written in one version, read in the other."""
    behaviour, name = random.choice(ALL), f"converted{random.randrange(5)}"
    stored, other = path(behaviour, "v1"), path(behaviour, "v2")
    read = random.choice(
        (f"{other}/{name}", other, f"{other}?watch=1&timeoutSeconds=1", f"{other}?labelSelector=a")
    )
    pieces = (
        request(site, "POST", stored, object_of(behaviour, "v1", name)),
        request(site, "GET", read),
        request(site, "POST", other, object_of(behaviour, "v2", f"{name}-v2")),
        request(site, "DELETE", f"{stored}/{name}"),
    )  # fmt: skip
    return Conversation(parts=pieces[: random.randint(1, len(pieces))])


SHAPES = (Shape("hostile-webhooks", webhooks), Shape("hostile-conversions", conversions))
