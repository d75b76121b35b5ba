"""The version of a real Kueue is seen, the dialect chosen by it, and another one refused (H-48)."""

import pytest

from kueue_conformance import options
from kueue_conformance.base.errors import UsageError
from kueue_conformance.control_planes.upstream import release
from kueue_conformance.run.shared_kueue import with_assumed_dialect, with_detected_dialect
from kueue_conformance.scenarios import dialect


def deployment(image, *, labels=None):
    pod = {"metadata": {"labels": labels or {}}, "spec": {"containers": [{"image": image}]}}
    return {"metadata": {"name": "kueue-controller-manager"}, "spec": {"template": pod}}


@pytest.mark.parametrize(
    ("image", "labels", "version"),
    [
        pytest.param("registry.example/kueue/kueue:v0.19.2", {}, "v0.19.2", id="tag"),
        pytest.param(
            "registry.example:5000/kueue:0.17.0", {}, "v0.17.0", id="tag without v, port of a registry"
        ),
        pytest.param("registry.example/kueue:v0.18.0-rc.1", {}, "v0.18.0-rc.1", id="candidate"),
        pytest.param("registry.example/kueue:v0.19.2@sha256:00", {}, "v0.19.2", id="tag and digest"),
        pytest.param(
            "registry.example/kueue@sha256:00",
            {"app.kubernetes.io/version": "v0.16.1"},
            "v0.16.1",
            id="label",
        ),
        pytest.param("registry.example/kueue:main", {}, "", id="not told"),
    ],
)
def test_a_deployment_tells_its_version(image, labels, version):
    assert release.of_deployments([deployment(image, labels=labels)]) == version


@pytest.mark.parametrize(
    ("line", "version"),
    [
        pytest.param(
            '{"level":"info","msg":"Initializing","gitVersion":"v0.19.2","gitCommit":"x"}',
            "v0.19.2",
            id="JSON",
        ),
        pytest.param(
            'INFO setup Initializing {"gitVersion": "v0.18.1", "gitCommit": "x"}', "v0.18.1", id="console"
        ),
        pytest.param('{"msg":"Initializing","gitVersion":"v0.0.0-main"}', "", id="built without being told"),
        pytest.param('{"msg":"starting"}', "", id="something else"),
    ],
)
def test_a_manager_says_its_version(line, version):
    assert release.of_log([line]) == version


@pytest.mark.parametrize(
    ("version", "spoken"),
    [
        pytest.param("v0.19.2", "v0.19", id="the same"),
        pytest.param("v0.19.0", "v0.19.0", id="another patch"),
        pytest.param("v0.19.14", "v0.19.14", id="a newer patch"),
        pytest.param("v0.19.99", "v0.19.14", id="a patch that is not known yet"),
        pytest.param("v0.25.1-rc.0", "v0.20", id="newer than any"),
        pytest.param("v0.12.3", "v0.12.3", id="between two"),
        pytest.param("v0.6.0", "v0.6.0", id="the first"),
        pytest.param("v0.20.0-devel", "v0.20.0-devel", id="before a release"),
        pytest.param(
            "v0.20.0-devel-377-gff69552e79", "v0.20.0-devel", id="commits behind the tag of a development"
        ),
        pytest.param("v0.21.0-rc.3-5-gabcdef0", "v0.21.0-rc.3", id="commits behind a candidate"),
        pytest.param("v0.19.2-5-gabcdef0-dirty", "v0.19", id="commits behind a release, and changes"),
    ],
)
def test_a_release_is_judged_by_its_own_dialect(version, spoken):
    assert dialect.nearest(version).name == spoken


@pytest.mark.parametrize("version", ["", "main", "v0.3.0"], ids=["not seen", "no release", "older than any"])
def test_no_dialect_is_guessed(version):
    assert dialect.nearest(version) is None


def settings(**options_by_name):
    return options.read({"backend": "envtest", "control-plane": "upstream", **options_by_name}, seed=1)


def test_the_dialect_follows_the_release_and_that_is_told():
    messages = []

    chosen = with_detected_dialect(settings(), "v0.12.3", messages.append)

    assert [selected.name for selected in chosen.dialects] == ["v0.12.3"]
    assert messages == ["Kueue v0.12.3 is judged by dialect v0.12.3"]


def test_another_dialect_than_that_of_the_release_is_refused():
    with pytest.raises(
        UsageError,
        match=r"(?s)judged is v0\.12\.3, whose dialect is v0\.12\.3, and --dialect says v0\.19.*leave --dialect out",
    ):
        with_detected_dialect(settings(dialect="v0.19"), "v0.12.3", print)


@pytest.mark.parametrize(
    ("served", "spoken"),
    [(["v1beta2", "v1beta1"], "v0.19"), (["v1beta2"], "v0.20"), (["v1beta3"], "v0.20")],
    ids=["an older version too", "the newest one", "an unknown one"],
)
def test_a_build_that_says_no_version_is_judged_by_what_it_serves_and_that_is_told(served, spoken):
    messages = []

    chosen = with_assumed_dialect(settings(), served, messages.append)

    assert [selected.name for selected in chosen.dialects] == [spoken]
    assert messages == [
        f"the release of the Kueue that is judged was not found: it serves {', '.join(served)}, and is judged by dialect {spoken}; name another with --dialect"
    ]


def test_a_build_that_says_no_version_is_judged_by_the_dialect_that_is_named():
    requested_settings = settings(dialect="v0.20")

    assert with_assumed_dialect(requested_settings, ["v1beta2", "v1beta1"], pytest.fail) is requested_settings


@pytest.mark.parametrize(
    ("dialect", "release_seen"),
    [("v0.19", "v0.19.2"), ("v0.6", ""), ("kep993", "v0.19.2")],
    ids=["its own", "nothing was seen", "documents that never were a release"],
)
def test_what_is_asked_for_stays(dialect, release_seen):
    requested_settings = settings(dialect=dialect)

    assert with_detected_dialect(requested_settings, release_seen, pytest.fail) is requested_settings
