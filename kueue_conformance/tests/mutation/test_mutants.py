"""What is changed in a source, and what a mutant is known by (N-04)."""

import pytest

from .mutants import modules, mutants, path_of

SOURCE = '''
def late(now, end):
    """Tell it."""
    return now >= end


def state(entries):
    for one in entries:
        if one["state"] == "Ready":
            return True
    return False
'''


def changes(source, operator=""):
    return [mutant.change for mutant in mutants("a.module", source) if operator in mutant.operator]


@pytest.mark.parametrize(
    ("operator", "source", "changed"),
    [
        (
            "RemoveElement",
            "ORDER = (first, second)",
            ["ORDER = (first, second) → ORDER = ( second,)", "ORDER = (first, second) → ORDER = (first,)"],
        ),
        (
            "RemoveElement",
            "table = {'a': 1, **more}",
            ["table = {'a': 1, **more} → table = { **more,}", "table = {'a': 1, **more} → table = {'a': 1,}"],
        ),
        ("RemoveElement", "found = [one for one, two in many]", []),
        ("RemoveElement", "(one, two) = many", []),
        (
            "RemoveKeyword",
            "new = replace(old, a=1, b=2)",
            [
                "new = replace(old, a=1, b=2) → new = replace(old, b=2)",
                "new = replace(old, a=1, b=2) → new = replace(old, a=1,)",
            ],
        ),
        ("RemoveKeyword", "new = Made(a=1, b=2)", []),
        ("RemoveStatement", "board.put(one)", ["board.put(one) → pass"]),
        ("RemoveStatement", "usage[name] += value", ["usage[name] += value → pass"]),
        ("RemoveStatement", "usage = value", []),
        ("RemoveStatement", "self.listener: Listener", []),
        ("RemoveStatement", "self.usage: int = 0", ["self.usage: int = 0 → pass"]),
        ("ReplaceString", "state = 'Ready'", ["state = 'Ready' → state = 'Ready?'"]),
        (
            "ReplaceString",
            "state = entry.get('state', 'Pending')",
            ["state = entry.get('state', 'Pending') → state = entry.get('state', 'Pending?')"],
        ),
        ("ReplaceString", "entry = {'state': one['state']}", []),
        (
            "ReplaceString",
            "Metric('pods', help='Pods.')",
            ["Metric('pods', help='Pods.') → Metric('pods?', help='Pods.')"],
        ),
        ("Replace", "limit: int | None = named()", []),
        ("", "assert one is not None", []),
        ("", "@dataclass(frozen=True)\nclass One:\n    pass", []),
        ("", "Task = Literal['cycle', 'wake']", []),
        ("", "Judge: TypeAlias = 'Callable[[], None]'", []),
        ("", "raise AssertionError('a queue has a root')", []),
        ("", "if TYPE_CHECKING:\n    from a import b", []),
        ("Number", "def of(generation: int = 0): pass", []),
        ("Number", "self._generation += 1", []),
        ("Number", "self._versions = itertools.count(1)", []),
        (
            "Number",
            "self.cycles += 1",
            ["self.cycles += 1 → self.cycles += 2", "self.cycles += 1 → self.cycles += 0"],
        ),
        ("RemoveStatement", "self._generation += 1", ["self._generation += 1 → pass"]),
    ],
    ids=[
        "order",
        "table",
        "comprehension",
        "target",
        "replace",
        "constructor",
        "call",
        "part",
        "name",
        "declaration",
        "part with a type",
        "text",
        "default",
        "field",
        "help",
        "annotation",
        "assertion",
        "decorator",
        "literal types",
        "type alias",
        "what cannot be",
        "what types need",
        "first generation",
        "step of a generation",
        "first version",
        "step of a count",
        "that a generation steps",
    ],
)
def test_operators_change_what_decides(operator, source, changed):
    assert changes(f"{source}\n", operator) == changed


def test_the_same_change_is_made_once():
    assert changes("found = one is None\n") == ["found = one is None → found = one is not None"]


def test_a_shift_of_lines_makes_no_other_mutants():
    shifted = mutants("a.module", f"import re\n\n{SOURCE}")

    assert [mutant.id for mutant in shifted] == [mutant.id for mutant in mutants("a.module", SOURCE)]
    assert {mutant.key for mutant in shifted} == {mutant.key for mutant in mutants("a.module", SOURCE)}


def test_a_changed_function_makes_other_mutants_of_its_own():
    ids = {mutant.id for mutant in mutants("a.module", SOURCE)}

    new = [
        mutant
        for mutant in mutants("a.module", SOURCE.replace("now >= end", "now > end"))
        if mutant.id not in ids
    ]
    assert {mutant.function for mutant in new} == {"late"}


def test_a_mutant_is_the_module_with_one_change():
    [mutant] = [mutant for mutant in mutants("a.module", SOURCE) if mutant.operator.endswith("GtE_Gt")]

    assert (mutant.source, mutant.start) == (SOURCE.replace("now >= end", "now > end"), (4, 15))


def test_every_rule_of_the_evaluation_order_is_taken_out():
    from reference_impl.kueue.workload.transitions import ORDER

    module = "reference_impl.kueue.workload.transitions"
    removals = [
        mutant
        for mutant in mutants(module, path_of(module).read_text("utf-8"))
        if mutant.operator == "RemoveElement"
    ]
    assert len(removals) >= len(ORDER)


def test_modules_with_decisions_are_there():
    assert {"reference_impl.kueue.checks.entries", "reference_impl.kueue.jobs.decide"} <= set(modules())
