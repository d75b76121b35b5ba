"""`record`: runs the recordings against the real programs and writes their answers.

Programs that are not proven real are refused.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from .. import backends, options
from ..base.errors import UsageError, unknown
from ..base.files.saving import save
from ..programs.proof import Proof
from ..recordings.comparison import agreement_of_states
from ..recordings.document import State, Story, folder, story
from ..recordings.replay import play
from ..run import Run
from ..scenarios.stories import DIALECT, RecordedStory, recorded_stories
from ..vectors.document import Topic, topics
from ..vectors.index import folder as folder_of_topics
from ..vectors.player import Player, namespace_for
from ..vectors.server import Server
from ..wire.endpoint import Endpoint

_ONLY = click.option("--only", multiple=True, help="one of them by its name; may be repeated")
_FOLDER = click.option(
    "--folder", "path", type=click.Path(path_type=Path), help="another folder than the one that is shipped"
)


@click.group(short_help="refresh what real programs were seen to do")
def record() -> None:
    """Refresh the recordings of kube-apiserver and of Kueue from the real programs, and stamp them with the
    proof that they are real.
    """


@record.command("api-server", short_help="send every recorded exchange to kube-apiserver again")
@_ONLY
@_FOLDER
def api_server(only: tuple[str, ...], path: Path | None) -> int:
    """Start kube-apiserver and etcd as backend envtest does, ask every exchange, and write the answers.

    Exit code: 0 written, 3 the programs do not start, 4 usage,
    or programs that are not proven to be the real ones.
    """
    where = path or folder_of_topics()
    chosen = _select({topic.name: topic for topic in topics(where)}, only, "topic")
    with closing(backends.connect("envtest")) as lender:
        stamp = _stamp(lender.proof())
        for topic in chosen:
            click.echo(
                f"{topic.name}: {record_answers(topic, lender.api_server(controllers=topic.controllers), where, stamp)} exchanges"
            )
    return 0


def record_answers(topic: Topic, server: Endpoint, where: Path, stamp: Mapping[str, str]) -> int:
    """Send the requests of a topic, rewrite its file, and return its number of exchanges."""
    with closing(Server(server)) as client:
        answers = Player(client, topic, namespace_for(topic)).play()
    topic.write(where / f"{topic.name}.yaml", stamp, answers)
    return len(answers)


@record.command("kueue", short_help="play the recorded stories against a real Kueue again")
@click.option("--backend", required=True, help="envtest, kind or kubeconfig:PATH[@context]")
@click.option(
    "--control-plane",
    required=True,
    help="upstream, upstream:COMMAND or upstream:manifests=FILE[,command=COMMAND]",
)
@click.option(
    "--runs",
    type=click.IntRange(1, 20),
    default=2,
    show_default=True,
    help="how often each story is played; what differs is written as `either`",
)
@_ONLY
@_FOLDER
def kueue(backend: str, control_plane: str, runs: int, only: tuple[str, ...], path: Path | None) -> int:
    """Play every recorded story that has a file of its own against the real Kueue that is named, and write
    what it has made of each step.

    Exit code: 0 written, 3 no server or no Kueue, 4 usage, or a Kueue or API server that is not proven to be
    the real one.
    """
    where = path or folder()
    chosen = _select(
        {
            recorded_story.story: recorded_story
            for recorded_story in recorded_stories()
            if not recorded_story.of_topic
        },
        only,
        "story",
    )
    values = {"backend": backend, "control-plane": control_plane, "profile": "KUEUE-RECORDED"}
    run = Run(options.read(values, seed=1))
    try:
        run.begin()
        stamp = _stamp(run.control_plane_proof())
        for recorded_story in chosen:
            states = agreement_of_states([_play(run, recorded_story, turn) for turn in range(runs)])
            save(where / f"{recorded_story.story}.yaml", story(recorded_story.story).text(stamp, states))
            click.echo(f"{recorded_story.story}: {len(states)} steps")
    finally:
        run.close()
    return 0


def _play(run: Run, row: RecordedStory, turn: int) -> Sequence[State]:
    recorded: Story = story(row.story)
    with run.case_context(next(iter(run.settings.dialects)), row.id) as context:
        played = play(context, recorded, f"{row.id.lower()}-{run.uid}-{turn}-")
    if played.ended:
        raise UsageError(
            f"story {recorded.name} cannot be played: after {len(played.states)} of {len(recorded.steps)} steps {played.ended}",
            hint=f"is the Kueue of dialect {DIALECT}, and configured for batch/job? leave the story out with --only",
        )
    return played.states


def _stamp(proof: Proof) -> Mapping[str, str]:
    return {**proof.to_dict(), "date": datetime.fromtimestamp(time.time(), UTC).date().isoformat()}


def _select(by_name: Mapping[str, Any], only: Sequence[str], noun: str) -> list[Any]:
    for name in only:
        if name not in by_name:
            raise unknown(noun, name, by_name)
    return [choice for name, choice in by_name.items() if not only or name in only]
