"""Examples at the end of each command's help: a line to copy and what it does (harness/H-04)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from ..programs.remedies import remedy

PROGRAM = "kueue-conformance"
Example = tuple[str, str]
_NAME = "acme.io/budget"

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "": (
        ("init", "begin to judge a check controller of your own"),
        ("smoke --subject-file subject.yaml", "is it wired?"),
        ("run --subject-file subject.yaml", "judge it"),
        ("run", "judge the reference Kueue, on a fake API server"),
        ("explain CHK-014", "what a scenario shows"),
        ("demo", "watch a Job get its machines"),
    ),
    "demo": (("demo", "in the terminal, and as demo.html"), ("demo --picture demo.svg", "and a picture for a document")),
    "init": (
        (f'init --connect "process:./my-controller" --controller-name {_NAME}', "for a program that you have"),
        ('init --connect "process:./my-controller" --build "go build -o my-controller ."', "built in the workflow"),
        ("init --shards 3", "with a workflow that judges on three machines"),
        ("init demo --example", "with a controller in Python to begin from"),
    ),
    "completion": (
        ("completion bash", "in bash: source <(kueue-conformance completion bash)"),
        ("completion fish", "in fish: kueue-conformance completion fish | source"),
    ),
    "cleanup": (
        ("cleanup", "delete the kind clusters of runs that are no more"),
        ("cleanup --kubeconfig cluster.yaml", "what runs have left in a cluster of yours"),
    ),
    "smoke": (
        ("smoke --subject-file subject.yaml", "as the file says"),
        (f'smoke --subject "process:./my-controller" --controller-name {_NAME}', "without a file"),
        ("smoke --subject reference", "the example controller"),
    ),
    "run": (
        ("run --dialect all", "the reference Kueue, in every version of the documents"),
        ("run --subject-file subject.yaml", "your controller, as its file says"),
        ("run CHK-014 --subject-file subject.yaml --repeat 20", "one scenario, and how often it ends how"),
        ("run --last-failed --subject-file subject.yaml", "what did not pass last time"),
        ("run --subject-file subject.yaml --shard 2/3", "the second of three machines: report merge puts them together"),
    ),
    "manifests": (
        ("manifests --shards 3 --subject-file subject.yaml --image registry.example/acme:1", "then | kubectl apply -f -"),
        ("manifests --shards 3 --queue-name team-a -- --profile ADMISSION --dialect all", "as a Job that Kueue queues"),
    ),
    "explore": (
        ("explore --subject-file subject.yaml --for 10m", "look for faults of your controller, and keep them in explored/"),
        ("explore --subject-file subject.yaml --replay explored/0001.yaml", "play a finding again"),
    ),
    "list": (
        ("list --profile CHECK-CONTROLLER --level must", "what a check controller must do"),
        ("list --capability Retry", "what a subject that claims Retry is asked"),
        ("list --capabilities", "the words that a subject file may claim"),
    ),
    "explain": (
        ("explain CHK-014", "a scenario: rule, level, capabilities, drivers, clauses"),
        ("explain CC-022", "a row of the fact pages"),
        ("explain kep-993#retry", "a requirement"),
    ),
    "verify": (
        ("verify conformance-report/report.yaml", "does it hold together?"),
        ("verify acme/report.yaml --submission", "may it be shown to others?"),
    ),
    "report": (("report diff before.yaml after.yaml", "what changed"), ("report matrix *.yaml", "subjects side by side")),
    "report diff": (("report diff before/report.yaml after/report.yaml", "cases that end otherwise"),),
    "report merge": (("report merge shard-*/report.yaml --out report.yaml", "the shards of a run"),),
    "report publish": (("report publish conformance-report/report.yaml --config-map nightly", "into the cluster that KUBECONFIG names"),),
    "report collect": (("report collect nightly-shard- --shards 3 --out report.yaml", "what the Pods of `manifests` have written"),),
    "report costs": (("report costs conformance-report/report.yaml --out costs.json", "then: run --shard 1/3 --shard-costs costs.json"),),
    "report matrix": (("report matrix acme.yaml other.yaml --format html --out matrix.html", "a page to publish"),),
    "report history": (("report history nightly --out history.html", "the reports of every night, kept in nightly/DATE/report.yaml"),),
    "report rejudge": (("report rejudge conformance-report/report.yaml", "by the rules of this version"),),
    "report badge": (("report badge conformance-report/report.yaml", "what an endpoint for shields.io answers"),),
    "report annotations": (("report annotations conformance-report/report.yaml", "failures beside a change, in a workflow"),),
    "report sarif": (("report sarif whole-report.yaml --out conformance.sarif", "of a merged report, for code scanning"),),
    "record": (("record api-server --only paging", f"one topic, from {remedy('recorded api server')}"),),
    "record api-server": (("record api-server", f"every exchange, from {remedy('recorded api server')}"),),
    "record kueue": (
        ("record kueue --backend envtest --control-plane upstream:./kueue", "every story, from a manager of yours"),
        ("record kueue --backend kind --control-plane upstream:manifests=kueue.yaml,images=kueue.tar --only kep-retry-1", "one story, in a kind cluster"),
    ),
    "provenance": (
        ("provenance record conformance-report/report.yaml", "what a run saw, into the file"),
        ("provenance list --stale", "what must be seen again"),
    ),
    "provenance record": (
        ("provenance record fake/report.yaml envtest/report.yaml", "two runs on two servers"),
        ("provenance record conformance-report/report.yaml --file mine.yaml", "into a file of yours"),
    ),
    "provenance list": (
        ("provenance list --stale --older-than 30", "changed since, or seen a month ago"),
        ("provenance list --never kind", "what no kind cluster has seen"),
    ),
    "expectations": (
        ("run --subject-file subject.yaml --expectations known.yaml", "a run that knows what does not pass"),
        ("expectations check known.yaml", "what is stale in the list"),
    ),
    "expectations check": (("expectations check known.yaml", "entries that must go"),),
    "expectations update": (
        ("expectations update conformance-report/report.yaml --file known.yaml --reason slow --issue 12", "what failed, into the list"),
    ),
    "replay": (
        ("replay conformance-report/bundles/CHK-014.zip", "against the subject it failed with"),
        ('replay CHK-014.zip --subject "process:./my-controller"', "against another one"),
    ),
    "defects": (
        ("defects", "the known defects of the default dialect, the open ones first"),
        ("defects --dialect 0.19.2 --out defects", "each as a page, with script, bundle and the draft of a report"),
        ("defects BUG-157 --dialect 0.19.2 --out defects", "one of them"),
        ("defects --dialect 0.19.2 --out defects --control-plane upstream:./kueue", "and which of them a real Kueue shows"),
    ),
    "observe": ((f"observe --kubeconfig config --controller-name {_NAME} --for 10m", "ten minutes of a live cluster"),),
    "differential": (
        ("differential --only patches", "one topic, beside the programs of envtest"),
        ("differential --backend kubeconfig:config", "beside a server of yours"),
    ),
}  # fmt: skip


def teach(command: click.Command, name: str = "") -> None:
    """Append the examples to the help of a command and its subcommands."""
    shown = EXAMPLES.get(name, ())
    width = max((len(line) for line, _ in shown), default=0)
    lines = [f"  {PROGRAM} {line:<{width}}  {meaning}" for line, meaning in shown]
    command.epilog = "\n".join(["Examples:", "", "\b", *lines])
    for word, subcommand in command.commands.items() if isinstance(command, click.Group) else ():
        teach(subcommand, f"{name} {word}".strip())
