"""A reproduction bundle: a failure in one file for another machine, with the case, the writes that led to it,
the faults and the story (harness/N-08).
"""

from __future__ import annotations

import io
import json
import shlex
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ...base.errors import UsageError
from ...base.files import input_limits
from ...base.json_types import Json
from ...base.resources import schema
from ...history.story import SUBJECT, Change
from ..evidence import Evidence, read

FOLDER = "bundles"
API_VERSION, KIND = "kueue-conformance.dev/v1", "ReproductionBundle"
_MANIFEST, _STORY = "bundle.json", "story.ndjson"
LONGEST_BUNDLE, LONGEST_MANIFEST = 16 * 2**20, 2**20
_EPOCH = (1980, 1, 1, 0, 0, 0)
_SERVER_S = (
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "managedFields",
    "selfLink",
    "deletionTimestamp",
)
_README = """\
{scenario}  {title}  [{dialect}]: {outcome} {fingerprint}

bundle.json     what it was: scenario, case, seed, options, suite
steps.yaml      every write that was not the subject's, in order, with its author and time
manifests.yaml  the objects that were created, for `kubectl create -f`
faults.json     what was done to the subject's requests on purpose
story.ndjson    the whole story: every change, every request of the subject
failure.txt     what the suite said

Replay it against your controller:

  kueue-conformance replay {name} --subject process:./my-controller --controller-name {controller}
"""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle that was read."""

    manifest: Mapping[str, Any]

    @property
    def fingerprint(self) -> str:
        """The clause, the rules or the kind of error."""
        return str(self.manifest["fingerprint"])


def pack(name: str, story: Path, outcome: str) -> bytes:
    """Return a bundle made of a case's evidence: equal bytes for equal evidence."""
    evidence = read(story)
    about = dict(evidence.about)
    manifest = {
        "apiVersion": API_VERSION,
        "kind": KIND,
        **{
            key: about[key]
            for key in (
                "suite",
                "scenario",
                "revision",
                "title",
                "test",
                "node",
                "dialect",
                "parameters",
                "controller",
                "seed",
                "options",
                "fingerprint",
            )
        },
        "outcome": outcome,
    }
    files = {
        "README.txt": _README.format(
            **manifest | {"name": name, "controller": shlex.quote(about["controller"] or "NAME")}
        ),
        _MANIFEST: json.dumps(manifest, indent=1) + "\n",
        "steps.yaml": _yaml(list(_steps(evidence))),
        "manifests.yaml": "---\n".join(map(_yaml, _creations(evidence.changes))),
        "faults.json": json.dumps(about.get("faults", []), indent=1) + "\n",
        "failure.txt": about.get("text", "") + "\n",
        _STORY: story.read_bytes(),
    }
    return _zip(files)


def unpack(file: Path) -> Bundle:
    """Return the content of a bundle. Raises UsageError for another form."""
    from jsonschema import Draft202012Validator

    try:
        manifest = input_limits.json_of(_manifest(input_limits.content(file, LONGEST_BUNDLE)))
    except OSError as problem:
        raise UsageError(
            f"bundle {str(file)!r} cannot be read: {problem.strerror}", hint="check the path"
        ) from problem
    except ValueError as problem:
        why = input_limits.shorten(str(problem))
        raise UsageError(
            f"{str(file)!r} is no bundle: {why}", hint="take one from the folder `bundles` of a report"
        ) from problem
    wrong = next(Draft202012Validator(schema("bundle")).iter_errors(manifest), None)
    if wrong is not None:
        raise UsageError(
            f"{str(file)!r} is no bundle: {input_limits.shorten(wrong.message)}",
            hint="see `kueue-conformance replay --schema`",
        )
    return Bundle(manifest)


def _manifest(content: bytes) -> bytes:
    """Return the bundle's manifest; nothing else is unpacked. Raises ValueError."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(_MANIFEST) as member:
            content_ = member.read(LONGEST_MANIFEST + 1)
    except KeyError as problem:
        raise ValueError(f"it has no {_MANIFEST}") from problem
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as problem:
        # An unknown compression and an encrypted member are RuntimeErrors.
        raise ValueError(str(problem) or "it is cut short") from problem
    if len(content_) > LONGEST_MANIFEST:
        raise ValueError(f"{_MANIFEST} is longer than {LONGEST_MANIFEST // 2**20} MiB")
    return content_


def _steps(evidence: Evidence) -> Iterator[Json]:
    """Yield all writes but the subject's."""
    start = evidence.changes[0].at if evidence.changes else 0.0
    for change in evidence.changes:
        if change.actor != SUBJECT:
            yield {
                "at": round(change.at - start, 3),
                "actor": change.actor,
                "verb": change.verb,
                "kind": change.kind,
                **({"namespace": change.namespace} if change.namespace else {}),
                "name": change.name,
                **({"subresource": change.subresource} if change.subresource else {}),
                **({"object": _bare(change.after)} if change.after else {}),
            }


def _creations(changes: Iterable[Change]) -> Iterator[Json]:
    for change in changes:
        if (
            change.before is None
            and change.after is not None
            and change.actor != SUBJECT
            and change.kind != "Event"
        ):
            yield {key: value for key, value in _bare(change.after).items() if key != "status"}


def _bare(document: Json) -> Json:
    """Return an object without the fields that only the server writes."""
    metadata = {key: value for key, value in document.get("metadata", {}).items() if key not in _SERVER_S}
    return {**document, "metadata": metadata}


def _yaml(value: Json) -> str:
    return str(
        yaml.dump(
            value, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), sort_keys=False, allow_unicode=True
        )
    )


def _zip(files: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
