"""Jobs that are refused (AC-330…336, Q-060): labels, annotations, and changes while they run."""

import pytest

from .objects import messages_of

LABEL, ANNOTATION = "metadata.labels[kueue.x-k8s.io/{}]", "metadata.annotations[kueue.x-k8s.io/{}]"


def job(labels=None, annotations=None, suspend=True, **spec):
    prefixed = [
        {f"kueue.x-k8s.io/{name}": text for name, text in (mapping or {}).items()}
        for mapping in (labels, annotations)
    ]
    metadata = {"name": "j", "namespace": "ns", "labels": prefixed[0], "annotations": prefixed[1]}
    return {"metadata": metadata, "spec": {"suspend": suspend, "parallelism": 3, "completions": 3, **spec}}


MIN = "job-min-parallelism"
SYNC = "job-completions-equal-parallelism"
PREBUILT = "prebuilt-workload-name"


@pytest.mark.parametrize(
    ("manifest", "text"),
    [
        pytest.param(
            job({"queue-name": "Bad_Name"}),
            f'{LABEL.format("queue-name")}: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain',
            id="queue",
        ),
        pytest.param(
            job({"max-exec-time-seconds": "x"}),
            f'{LABEL.format("max-exec-time-seconds")}: Invalid value: "x": strconv.Atoi: parsing "x": invalid syntax',
            id="time that is no number",
        ),
        pytest.param(
            job({"max-exec-time-seconds": "0"}),
            f"{LABEL.format('max-exec-time-seconds')}: Invalid value: 0: should be greater than 0",
            id="no time",
        ),
        pytest.param(
            job(annotations={MIN: "3"}),
            f"{ANNOTATION.format(MIN)}: Invalid value: 3: should be between 0 and 2",
            id="no smaller than all",
        ),
        pytest.param(
            job(annotations={SYNC: "x"}),
            f'{ANNOTATION.format(SYNC)}: Invalid value: "x": strconv.ParseBool: parsing "x": invalid syntax',
            id="neither yes nor no",
        ),
        pytest.param(
            job(annotations={SYNC: "true"}),
            f'{ANNOTATION.format(SYNC)}: Invalid value: "true": should not be enabled for NonIndexed jobs',
            id="completions of a Job without indexes",
        ),
    ],
)
def test_a_new_job_is_judged(manifest, text):
    (message,) = messages_of("Job", manifest)

    assert message.startswith(text)


def test_an_annotation_names_the_prebuilt_workload_before_the_label_does():
    (message,) = messages_of("Job", job({PREBUILT: "Bad_Too"}, {PREBUILT: "Bad_Name"}))

    assert message.startswith(f'{ANNOTATION.format(PREBUILT)}: Invalid value: "Bad_Name"')


def test_gates_are_judged_before_what_only_jobs_have():
    manifest = job({"max-exec-time-seconds": "0"}, {"admission-gated-by": "bad", MIN: "9", SYNC: "x"})

    assert [text.partition(": ")[0] for text in messages_of("Job", manifest)] == [
        LABEL.format("max-exec-time-seconds"),
        ANNOTATION.format("admission-gated-by"),
        ANNOTATION.format(MIN),
        ANNOTATION.format(SYNC),
    ]


def test_completions_begin_with_the_parallelism():
    manifest = job(annotations={SYNC: "true"}, completionMode="Indexed", completions=4)

    assert messages_of("Job", manifest) == [
        f"spec.completions: Invalid value: 4: should be equal to parallelism when kueue.x-k8s.io/{SYNC} annotation is true"
    ]


@pytest.mark.parametrize(
    ("least", "release", "is_refused"),
    [
        (2**32 + 2, (0, 19, 5), False),
        (2**32 + 2, (0, 19, 6), True),
        (2**32 + 2, (0, 20, 0), True),
        (2**32 + 3, (0, 19, 5), True),
        (2**32 + 3, (0, 20, 0), True),
        (2, (0, 20, 0), False),
    ],
)
def test_a_minimum_of_more_than_32_bits_kv_057(least, release, is_refused):
    messages = messages_of("Job", job(annotations={MIN: str(least)}), release=release)

    text = f"{ANNOTATION.format(MIN)}: Invalid value: {least}: should be between 0 and 2"
    assert messages == ([text] if is_refused else [])


def test_a_job_that_says_it_well():
    labels = {"queue-name": "lq", "prebuilt-workload-name": "w", "max-exec-time-seconds": "+5"}
    annotations = {MIN: "2", SYNC: "true"}

    assert messages_of("Job", job(labels, annotations, completionMode="Indexed")) == []


RUNNING = job({"queue-name": "lq"}, suspend=False)


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        pytest.param(
            RUNNING,
            job({"queue-name": "other"}, suspend=False),
            [f'{LABEL.format("queue-name")}: Invalid value: "other": field is immutable'],
            id="queue of a running Job",
        ),
        pytest.param(
            job({"queue-name": "lq"}), job({"queue-name": "other"}), [], id="queue of a suspended one"
        ),
        pytest.param(
            RUNNING,
            job({"queue-name": "lq", "priority-class": "p"}, suspend=False),
            [
                f'{LABEL.format("priority-class")}: Invalid value: "p": WorkloadPriorityClass cannot be added to a non-suspended workload'
            ],
            id="class of a running Job",
        ),
        pytest.param(
            job({"priority-class": "p"}),
            job(),
            [
                f'{LABEL.format("priority-class")}: Invalid value: "": WorkloadPriorityClass cannot be removed from a workload'
            ],
            id="class that is taken away",
        ),
        pytest.param(
            job({"max-exec-time-seconds": "5"}, suspend=False),
            job({"max-exec-time-seconds": "6"}, suspend=False),
            [f'{LABEL.format("max-exec-time-seconds")}: Invalid value: "6": field is immutable'],
            id="time of a running Job",
        ),
        pytest.param(
            job(annotations={MIN: "1"}, suspend=False),
            job(annotations={MIN: "1"}, suspend=False, parallelism=2),
            [
                "spec.parallelism: Forbidden: cannot change when partial admission is enabled and the job is not suspended"
            ],
            id="parallelism while partially admitted",
        ),
        pytest.param(RUNNING, {**RUNNING, "spec": {**RUNNING["spec"], "parallelism": 1}}, [], id="else free"),
    ],
)
def test_a_change_is_judged(old, new, texts):
    assert messages_of("Job", new, old) == texts
