"""The story as a page and as a picture of its own; both open from disk without a network."""

from __future__ import annotations

from collections.abc import Sequence

from jinja2 import Environment, PackageLoader

from .picture import picture
from .story import ChapterEvents, text
from .terminal import clock


def page(story: Sequence[ChapterEvents]) -> str:
    """Return the page."""
    return _render("page.html", story)


def drawing(story: Sequence[ChapterEvents]) -> str:
    """Return the picture alone, as an SVG file."""
    return _render("picture.svg", story)


def _render(name: str, story: Sequence[ChapterEvents]) -> str:
    loader = PackageLoader("kueue_conformance.demo", "templates")
    template = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True).get_template(
        name
    )
    return template.render(
        story=story, drawn=picture(story), clock=clock, queues=text("queues.yaml"), job=text("job.yaml")
    )
