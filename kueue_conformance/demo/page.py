"""The story as a page and as a picture of its own; both open from disk without a network."""

from __future__ import annotations

from collections.abc import Sequence

from jinja2 import Environment, PackageLoader

from .picture import picture
from .story import Told, text
from .terminal import clock


def page(story: Sequence[Told]) -> str:
    """Return the page."""
    return _rendered("page.html", story)


def drawing(story: Sequence[Told]) -> str:
    """Return the picture alone, as an SVG file."""
    return _rendered("picture.svg", story)


def _rendered(name: str, story: Sequence[Told]) -> str:
    loader = PackageLoader("kueue_conformance.demo", "templates")
    template = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True).get_template(
        name
    )
    return template.render(
        story=story, drawn=picture(story), clock=clock, queues=text("queues.yaml"), job=text("job.yaml")
    )
