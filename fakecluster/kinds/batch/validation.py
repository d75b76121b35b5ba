"""Jobs: what a new one and every one satisfies (FK-467, FK-469, FK-470, FK-477)."""

from __future__ import annotations

from ...base.json_types import Json
from ...gotypes.golang import to_go_struct
from ...schema import fields
from ..core.pod.validation import pod_spec
from ..validation import basics
from ..validation.basics import Errors
from ..validation.duplicates import repeats
from . import strategy
from .completion_indexes import IndexFormatError, count_indexes

NUMBERS = (
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
)
MODES = ("NonIndexed", "Indexed")
PARALLEL_LIMIT = 100_000
ACTIONS = ("Count", "FailIndex", "FailJob", "Ignore")
OPERATORS = ("In", "NotIn")
STATUSES = ("False", "True", "Unknown")
MANY_COMPLETIONS, FEW_PARALLEL = 100_000, 10_000
SELECTOR_MISMATCH = "`selector` does not match template `labels`"


def judge(job: Json) -> list[fields.FieldError]:
    """Judge a Job.

    An update is judged by this and once more by `changed`, so its spec's violations are told twice.
    """
    return [*_judge_generated(job), *spec(job["spec"], "spec"), *_host_names(job)]


def _judge_generated(job: Json) -> Errors:
    selector = job["spec"].get("selector")
    if job["spec"].get("manualSelector") or selector is None:
        return
    uid, name = job["metadata"].get("uid", ""), job["metadata"].get("name", "")
    expected = {
        strategy.LEGACY_CONTROLLER_UID: uid,
        strategy.LEGACY_JOB_NAME: name,
        strategy.CONTROLLER_UID: uid,
        strategy.JOB_NAME: name,
    }
    labels = (job["spec"]["template"].get("metadata") or {}).get("labels") or {}
    for key, value in expected.items():
        path = f"spec.template.metadata.labels[{key}]"
        if key not in labels:
            yield fields.required(path, f"must be '{value}'")
        elif labels[key] != value:
            yield fields.invalid(path, labels, f"must be '{value}'")
    if not any(basics.label_selector(selector, "")) and not basics.matches(selector, expected):
        yield fields.invalid("spec.selector", selector, "`selector` not auto-generated")


def _host_names(job: Json) -> Errors:
    completions = job["spec"].get("completions") or 0
    if job["spec"].get("completionMode") == "Indexed" and completions > 0:
        last = f"{job['metadata'].get('name', '')}-{completions - 1}"
        if basics.dns_label(last):
            why = f"will not able to create pod with invalid DNS label: {last}"
            yield fields.invalid("metadata.name", job["metadata"].get("name", ""), why)


def spec(value: Json, path: str) -> Errors:
    """Judge a Job's spec together with its selector."""
    yield from without_selector(value, path)
    selector = value.get("selector")
    if selector is None:
        yield fields.required(f"{path}.selector")
    wrong = list(basics.label_selector(selector, f"{path}.selector"))
    yield from wrong
    labels = (value["template"].get("metadata") or {}).get("labels")
    if not wrong and not basics.matches(selector, labels or {}):
        yield fields.invalid(f"{path}.template.metadata.labels", labels, SELECTOR_MISMATCH)


def without_selector(value: Json, path: str) -> Errors:
    """Judge a Job's spec as CronJobs hold it, too."""
    for name in NUMBERS:
        yield from basics.not_negative(value.get(name), f"{path}.{name}")
    if value.get("maxFailedIndexes") is not None:
        yield from basics.not_negative(value["maxFailedIndexes"], f"{path}.maxFailedIndexes")
        if value.get("backoffLimitPerIndex") is None:
            yield fields.required(f"{path}.backoffLimitPerIndex", "when maxFailedIndexes is specified")
    yield from basics.judge_manager(value.get("managedBy"), f"{path}.managedBy")
    yield from basics.optional_choice(value.get("completionMode"), f"{path}.completionMode", MODES)
    if value.get("completionMode") == "Indexed":
        yield from _index_errors(value, path)
    elif value.get("completionMode") in {None, "NonIndexed"}:
        yield from _not_indexed(value, path)
    yield from _failure_policy(value, f"{path}.podFailurePolicy")
    yield from _success_policy(value, f"{path}.successPolicy")
    yield from _replacement(value, f"{path}.podReplacementPolicy")
    yield from pod_spec.template(value["template"], f"{path}.template")
    yield from _restart(value, f"{path}.template.spec.restartPolicy")


def _index_errors(value: Json, path: str) -> Errors:
    completions, parallelism, failed = (
        value.get(name) for name in ("completions", "parallelism", "maxFailedIndexes")
    )
    if completions is None:
        yield fields.required(f"{path}.completions", "when completion mode is Indexed")
    if (parallelism or 0) > PARALLEL_LIMIT:
        why = f"must be less than or equal to {PARALLEL_LIMIT} when completion mode is Indexed"
        yield fields.invalid(f"{path}.parallelism", parallelism, why)
    if completions is not None and failed is not None and failed > completions:
        yield fields.invalid(f"{path}.maxFailedIndexes", failed, "must be less than or equal to completions")
    yield from basics.at_most(failed, f"{path}.maxFailedIndexes", PARALLEL_LIMIT)
    if (completions or 0) > MANY_COMPLETIONS and value.get("backoffLimitPerIndex") is not None:
        yield from _many(value, path)


def _many(value: Json, path: str) -> Errors:
    why = (
        f"must be less than or equal to {FEW_PARALLEL} when completions are above {MANY_COMPLETIONS}"
        " and used with backoff limit per index"
    )
    if value.get("maxFailedIndexes") is None:
        yield fields.required(
            f"{path}.maxFailedIndexes", f"must be specified when completions is above {MANY_COMPLETIONS}"
        )
    for name in ("parallelism", "maxFailedIndexes"):
        if (value.get(name) or 0) > FEW_PARALLEL:
            yield fields.invalid(f"{path}.{name}", value[name], why)


def _not_indexed(value: Json, path: str) -> Errors:
    for name in ("backoffLimitPerIndex", "maxFailedIndexes"):
        if value.get(name) is not None:
            yield fields.invalid(f"{path}.{name}", value[name], "requires indexed completion mode")


def _failure_policy(value: Json, path: str) -> Errors:
    policy = value.get("podFailurePolicy")
    if policy is None:
        return
    rules, pod = policy.get("rules") or [], value["template"]["spec"]
    if len(rules) > 20:
        yield fields.too_many(f"{path}.rules", len(rules), 20)
    names = {
        container["name"]
        for member in ("containers", "initContainers")
        for container in pod.get(member) or ()
    }
    for number, rule in enumerate(rules):
        yield from _failure_rule(value, rule, f"{path}.rules[{number}]", names)


def _failure_rule(value: Json, rule: Json, path: str, names: set[str]) -> Errors:
    action, codes, conditions = rule.get("action"), rule.get("onExitCodes"), rule.get("onPodConditions") or []
    if not action:
        yield fields.required(f"{path}.action", f"valid values: {_quote_list(ACTIONS)}")
    elif action == "FailIndex":
        if value.get("backoffLimitPerIndex") is None:
            yield fields.invalid(f"{path}.action", action, "requires the backoffLimitPerIndex to be set")
    else:
        yield from basics.optional_choice(action, f"{path}.action", ACTIONS)
    if codes is not None:
        yield from _exit_codes(codes, f"{path}.onExitCodes", names)
    if len(conditions) > 20:
        yield fields.too_many(f"{path}.onPodConditions", len(conditions), 20)
    for number, condition in enumerate(conditions):
        item_path = f"{path}.onPodConditions[{number}]"
        yield from basics.label_key(condition.get("type", ""), f"{item_path}.type")
        yield from basics.optional_choice(condition.get("status"), f"{item_path}.status", STATUSES)
    if codes is not None and conditions:
        yield basics.invalid_whole(path, "specifying both OnExitCodes and OnPodConditions is not supported")
    if codes is None and not conditions:
        yield basics.invalid_whole(path, "specifying one of OnExitCodes and OnPodConditions is required")


def _exit_codes(value: Json, path: str, names: set[str]) -> Errors:
    operator, codes, container = value.get("operator"), value.get("values") or [], value.get("containerName")
    if not operator:
        yield fields.required(f"{path}.operator", f"valid values: {_quote_list(OPERATORS)}")
    else:
        yield from basics.optional_choice(operator, f"{path}.operator", OPERATORS)
    if container is not None and container not in names:
        why = "must be one of the container or initContainer names in the pod template"
        yield fields.invalid(f"{path}.containerName", container, why)
    if not codes:
        yield fields.invalid(f"{path}.values", value.get("values"), "at least one value is required")
    if len(codes) > 255:
        yield fields.too_many(f"{path}.values", len(codes), 255)
    repeated = repeats(codes)
    for number, code in enumerate(codes):
        if operator == "In" and code == 0:
            yield fields.invalid(f"{path}.values[{number}]", code, "must not be 0 for the In operator")
        if number in repeated:
            yield fields.duplicate(f"{path}.values[{number}]", code)
    if codes != sorted(codes):
        yield fields.invalid(f"{path}.values", codes, "must be ordered")


def _success_policy(value: Json, path: str) -> Errors:
    policy = value.get("successPolicy")
    if policy is None:
        return
    if value.get("completionMode") != "Indexed":
        yield fields.invalid(
            path, to_go_struct("batch.v1.SuccessPolicy", policy), "requires indexed completion mode"
        )
        return
    rules = policy.get("rules") or []
    if not rules:
        yield fields.required(
            f"{path}.rules", "at least one rules must be specified when the successPolicy is specified"
        )
    if len(rules) > 20:
        yield fields.too_many(f"{path}.rules", len(rules), 20)
    for number, rule in enumerate(rules):
        yield from _success_rule(rule, value.get("completions") or 0, f"{path}.rules[{number}]")


def _success_rule(rule: Json, completions: int, path: str) -> Errors:
    count, ranges = rule.get("succeededCount"), rule.get("succeededIndexes")
    if count is None and ranges is None:
        yield fields.required(path, "at least one of succeededCount or succeededIndexes must be specified")
    total = 0
    if ranges is not None:
        try:
            total = count_indexes(ranges, completions)
        except IndexFormatError as error:
            yield fields.invalid(
                f"{path}.succeededIndexes", ranges, f"error parsing succeededIndexes: {error}"
            )
    if count is None:
        return
    yield from basics.not_negative(count, f"{path}.succeededCount")
    text = "must be less than or equal to {} (the number of {})"
    if count > completions:
        why = text.format(completions, "specified completions")
        yield fields.invalid(f"{path}.succeededCount", count, why)
    if ranges is not None and count > total:
        why = text.format(total, "indexes in the specified succeededIndexes field")
        yield fields.invalid(f"{path}.succeededCount", count, why)


def _replacement(value: Json, path: str) -> Errors:
    allowed = ("Failed",) if value.get("podFailurePolicy") is not None else ("Failed", "TerminatingOrFailed")
    yield from basics.optional_choice(value.get("podReplacementPolicy"), path, allowed)


def _restart(value: Json, path: str) -> Errors:
    policy = value["template"]["spec"].get("restartPolicy")
    if policy in {None, "", "Always"}:
        yield fields.required(path, 'valid values: "OnFailure", "Never"')
    elif policy not in {"OnFailure", "Never"}:
        yield fields.not_supported(path, policy, ["OnFailure", "Never"])
    elif value.get("podFailurePolicy") is not None and policy != "Never":
        yield fields.invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')


def _quote_list(words: tuple[str, ...]) -> str:
    return "[" + " ".join(f'"{word}"' for word in words) + "]"
