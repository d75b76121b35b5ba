"""`python -m tools.commit_messages FILE`: check the message of a commit, as the hook commit-msg does.

The subject has at most 72 characters, ends without a full stop, and an empty line parts it from the body.
CONTRIBUTING.md ("Commits") says how to write one.
"""

import re
import sys
from pathlib import Path

SUBJECT_LENGTH = 72
"""Characters: Git's own lists of commits cut longer ones."""
OF_GIT = re.compile(r"(Merge|Revert|fixup!|squash!|amend!) ?")
"""Subjects that Git writes itself."""


def find_problems(message: str) -> list[str]:
    """Return what is wrong with a message; lines of comment do not count."""
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    subject = lines[0] if lines else ""
    if OF_GIT.match(subject):
        return []
    problems = []
    if not subject.strip():
        problems.append("the first line is empty: say what changes for a reader")
    if len(subject) > SUBJECT_LENGTH:
        problems.append(
            f"the subject has {len(subject)} characters, {SUBJECT_LENGTH} are allowed: the why goes into the body"
        )
    if subject.endswith("."):
        problems.append("the subject ends with a full stop: leave it out")
    if len(lines) > 1 and lines[1].strip():
        problems.append("the second line is not empty: it parts the subject from the body")
    return problems


def main() -> int:
    """Print what is wrong with the message in a file; returns 1 where something is."""
    problems = find_problems(Path(sys.argv[1]).read_text("utf-8"))
    for problem in problems:
        print(f"commit message: {problem} (CONTRIBUTING.md, Commits)", file=sys.stderr)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
