"""What a report needs before it is shown to others (harness/H-32)."""

import pytest

from kueue_conformance.report.afterwards.submission import file_name, is_version, problems

from .results import PASSED, report

SAID = {
    "organization": "acme",
    "project": "Budget Controller",
    "url": "https://acme.io",
    "version": "v1.2.0",
    "contact": ["@a"],
}
NAME = "budget-controller-v1.2.0-admission-report.yaml"
README = "# Results\n\n## Reproduce\n\n    kueue-conformance run\n\n## More\n"


@pytest.fixture
def wrong(tmp_path):
    """Return the problems of a submission."""

    def wrong(*, name=NAME, readme=README, complete=True, options=None, **implementation):
        document = report(PASSED, complete=complete).to_dict()
        document["implementation"] = {
            key: value for key, value in {**SAID, **implementation}.items() if value
        }
        document["environment"]["options"] |= options or {}
        if readme is not None:
            (tmp_path / "README.md").write_text(readme)
        return list(problems(document, tmp_path / name))

    return wrong


def test_a_whole_submission(wrong):
    assert wrong() == []


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        pytest.param({"name": "report.yaml"}, f"file name: is 'report.yaml', expected {NAME!r}", id="name"),
        pytest.param(
            {"contact": None},
            "implementation.contact: it is missing; add it to the subject file",
            id="contact",
        ),
        pytest.param(
            {"complete": False}, "complete: the run was interrupted or stopped early", id="incomplete"
        ),
        pytest.param(
            {"options": {"select": "ADM-002"}},
            "options: only a part of the profile was run (--select)",
            id="a part",
        ),
        pytest.param({"readme": None}, "README.md: there is none beside the report", id="no README"),
        pytest.param({"readme": "# Results\n"}, "README.md: it has no section Reproduce", id="no section"),
        pytest.param(
            {"readme": "# Reproduce\n\nas ever\n\n# Else\n\nkueue-conformance run\n"},
            "README.md: its section Reproduce shows no `kueue-conformance` command",
            id="no command",
        ),
    ],
)
def test_what_is_missing(wrong, fields, problem):
    assert wrong(**fields) == [problem]


@pytest.mark.parametrize("version", ["main", "master", "latest", "HEAD", "feature/x", "release-1.2", "1"])
def test_a_branch_is_no_version(wrong, version):
    submission_problems = wrong(
        version=version,
        name=file_name({**report(PASSED).to_dict(), "implementation": {**SAID, "version": version}}),
    )

    assert submission_problems == [
        f"implementation.version: {version!r} is no version: name a release or a commit, never a branch"
    ]


@pytest.mark.parametrize("version", ["1.2", "v1.2.3-rc.1", "0.19.2+build", "4f2a9c1", "sha256:" + "0" * 64])
def test_a_version(version):
    assert is_version(version)
