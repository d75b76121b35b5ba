"""The page of a run: what was found, what ended how, and a chart for each figure."""

import html

WIDTH, HEIGHT = 640, 90
STYLE = (
    "body{font:15px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse}td,th{padding:.1rem .8rem .1rem 0;text-align:left;vertical-align:top}"
    "svg{width:100%;height:auto;background:#f6f6f6}polyline{fill:none;stroke:#2563eb;stroke-width:1.5}"
    "figure{margin:1rem 0}figcaption{font-size:.85rem}.bad{color:#b91c1c}"
)


def render(rows, facts, endings, disturbances, findings):
    """Return the page as HTML; `facts`, `endings` and `disturbances` map a word to a number or a text."""
    verdict = f'<p class="bad">{len(findings)} finding(s)</p>' if findings else "<p>Nothing was found.</p>"
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Soak</title><style>{STYLE}</style><h1>Soak</h1>",
        verdict,
        "".join(f'<p class="bad">{html.escape(finding)}</p>' for finding in findings),
        _table("Run", facts),
        _table("How Jobs ended", endings),
        _table("Disturbances", disturbances),
        *_charts(rows),
    ]
    return "\n".join(parts)


def _table(title, cells):
    lines = "".join(
        f"<tr><th>{html.escape(str(key))}<td>{html.escape(str(value))}" for key, value in cells.items()
    )
    return f"<h2>{title}</h2><table>{lines}</table>"


def _charts(rows):
    yield "<h2>Figures</h2>"
    yield _chart("Requests of users in an interval", [row.requests for row in rows])
    yield _chart("Their 99th percentile, ms", [row.request_p99_seconds * 1000 for row in rows])
    yield _chart("Lateness of events, 99th percentile, ms", [row.event_p99_seconds * 1000 for row in rows])
    yield _chart("Jobs that ended", [row.jobs for row in rows])
    for name in rows[-1].resources if rows else ():
        held = [row.resources[name] for row in rows if name in row.resources]
        yield _chart(f"{name}: MB", [item.bytes / 1e6 for item in held])
        yield _chart(f"{name}: descriptors", [item.descriptors for item in held])
        yield _chart(f"{name}: threads", [item.threads for item in held])


def _chart(title, values):
    """Return a line of values, from 0 to the highest."""
    highest = max([*values, 1e-9])
    step = WIDTH / max(1, len(values) - 1)
    points = " ".join(
        f"{number * step:.1f},{HEIGHT - value / highest * (HEIGHT - 8):.1f}"
        for number, value in enumerate(values)
    )
    last = values[-1] if values else 0
    caption = f"{html.escape(title)}: at most {highest:.4g}, at the end {last:.4g}"
    return (
        f'<figure><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><polyline points="{points}"/></svg>'
        f"<figcaption>{caption}</figcaption></figure>"
    )
