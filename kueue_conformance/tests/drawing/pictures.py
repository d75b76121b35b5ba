"""The drawings as SVG: the house, the layers of each package,
and the ways of a request, a Workload and a run.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import jinja2
import yaml

from ..checkout import ROOT, modules, path_as_id
from . import transitions
from .layers import PACKAGES, graph, layers, meeting

HERE = Path(__file__).parent
WAYS = yaml.safe_load((HERE / "ways.yaml").read_text("utf-8"))
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(HERE / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)
WIDTH, MARGIN, GAP, LETTER = 1000, 20, 10, 8


@cache
def drawings() -> Mapping[str, str]:
    """Return every drawing by the name of its file."""
    pictures = {"house.svg": _house()}
    pictures |= {f"{package}.svg": _layers(package) for package in PACKAGES[1:]}
    pictures["transitions-of-a-request.svg"] = _transitions()
    return pictures | {
        f"way-of-a-{name}.svg": _way(stations_of_way) for name, stations_of_way in WAYS.items()
    }


def unknown_modules() -> list[str]:
    """Return the modules of the ways that do not exist."""
    named_modules = {station["module"] for way in WAYS.values() for station in way["stations"]}
    return sorted(named_modules - graph().modules)


def _house() -> str:
    sizes = {package: _thousands(package) for package in PACKAGES}
    return TEMPLATES.get_template("house.svg.j2").render(
        sizes=sizes,
        to_fake=meeting("kueue_conformance", "fakecluster"),
        to_reference=meeting("kueue_conformance", "reference_impl"),
    )


def _transitions() -> str:
    boxes = [(*transitions.PLACES[state], title) for state, title in transitions.TITLES.items()]
    other_rows = transitions.others()
    return TEMPLATES.get_template("transitions.svg.j2").render(
        arrows=list(transitions.arrows()),
        boxes=boxes,
        others=other_rows,
        below=transitions.BELOW,
        width=transitions.WIDTH,
        height=transitions.BELOW + 30 + 18 * len(other_rows),
    )


def _thousands(package: str) -> str:
    """Return how many lines of code a package has, in thousands:
    a figure that does not change with each commit.
    """
    lines = sum(
        bool(line.strip())
        for file in modules()
        if path_as_id(file).startswith(f"{package}/")
        for line in file.read_text("utf-8").splitlines()
    )
    return f"{5 * round(lines / 5000)} 000 lines"


def _layers(package: str) -> str:
    rows, y = [], MARGIN
    for layer in layers(package):
        boxes, x = [], MARGIN
        for component in layer:
            width = LETTER * len(component.name) + 20
            if x + width > WIDTH - MARGIN:
                x, y = MARGIN, y + 34
            boxes.append({"x": x, "y": y, "width": width, "part": component})
            x += width + GAP
        rows.append({"boxes": boxes, "top": boxes[0]["y"] - 8, "height": y + 28 - boxes[0]["y"] + 16})
        y += 28 + 24
    return TEMPLATES.get_template("layers.svg.j2").render(package=package, rows=rows, width=WIDTH, height=y)


def _way(request_path: Mapping[str, object]) -> str:
    stations = list(_stations(request_path["stations"]))
    return TEMPLATES.get_template("way.svg.j2").render(
        title=request_path["title"], stations=stations, width=WIDTH, height=stations[-1]["y"] + 64
    )


def _stations(station_rows: object) -> Iterator[dict[str, object]]:
    for number, station in enumerate(station_rows):  # type: ignore[call-overload]
        path = station["module"].replace(".", "/")
        is_folder = (ROOT / path).is_dir()
        yield station | {"y": MARGIN + number * 62, "path": f"{path}/" if is_folder else f"{path}.py"}
