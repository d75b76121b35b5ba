"""`docker` and `kind` as scripts with prepared answers, which record their arguments."""

import json
import shlex
from dataclasses import dataclass, field
from pathlib import Path

IMAGE = "kueue-conformance/kind-node:v1.36.3"
OURS = json.dumps([{"Config": {"Labels": {"kueue-conformance.dev/node-image": "1-2"}}}])


def says(text):
    """Print a text and succeed."""
    return f"printf '%s\\n' {shlex.quote(text)}"


def fails(text, code=1):
    """Print a text as an error and fail."""
    return f"printf '%s\\n' {shlex.quote(text)} >&2; exit {code}"


def answers():
    """What both say where all is well; the first pattern that fits counts."""
    return {
        "docker": {
            "version *": says("20.10.24"),
            "image ls *": says(IMAGE),
            "image inspect *": says(OURS),
            "info *": says("/"),
            "network inspect *": says("127.0.0.1"),
            "inspect *Running*": says("true"),
            "inspect *Image*": says(IMAGE),
        },
        "kind": {
            "version *": says("v0.33.0"),
            "get clusters": says("other"),
            "get nodes *": says("other-control-plane"),
            "delete cluster *": ":",
            "export logs *": '/bin/mkdir -p "$3/node"; : > "$3/node/kubelet.log"',
            "load *": ":",
        },
    }


@dataclass
class Programs:
    """The scripts in a folder that is all of PATH."""

    folder: Path
    table: dict[str, dict[str, str]] = field(default_factory=answers)

    def install(self):
        """Write the scripts anew."""
        self.folder.mkdir(exist_ok=True)
        for name in ("docker", "kind"):
            (self.folder / name).unlink(missing_ok=True)
        for name, rules in self.table.items():
            cases = "\n".join(
                f"  {_pattern(words)}) {script_line} ;;" for words, script_line in rules.items()
            )
            log = shlex.quote(str(self.log))
            script = self.folder / name
            script.write_text(
                f'#!/bin/sh\necho "{name} $*" >> {log}\ncase "$*" in\n{cases}\n  *) echo "unforeseen: $*" >&2; exit 99 ;;\nesac\n'
            )
            script.chmod(0o755)

    def tell(self, program, words, script_line):
        """Have a program do something else when it is asked with these words."""
        self.table[program] = {
            words: script_line,
            **{key: value for key, value in self.table[program].items() if key != words},
        }
        self.install()

    def remove(self, program):
        """Have no such program."""
        del self.table[program]
        self.install()

    @property
    def log(self):
        """Where they write what they were asked."""
        return self.folder / "asked"

    def calls_of(self, program):
        """What a program was asked, without those questions that change nothing."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line.removeprefix(f"{program} ") for line in lines if line.startswith(program)]


def _pattern(words):
    return "*".join(literal and shlex.quote(literal) for literal in words.split("*"))
