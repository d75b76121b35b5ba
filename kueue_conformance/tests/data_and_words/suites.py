"""What the suites' text says: which clauses a scenario declares and asserts,
and what in it shows that something happens.
"""

import ast
from dataclasses import dataclass
from functools import cache

from kueue_conformance.tests.checkout import ROOT

WAITS = frozenset({"within", "either"})
"""They fail where nothing happens; `always` and `never` do not."""
OF_A_CONTROLLER = frozenset({"must_answer"})
"""A recorded exchange is asked and compared: it has no clauses of its own."""


@dataclass(frozen=True)
class ScenarioSource:
    """A scenario as its module has it: `functions` are its test with the helpers and fixtures of the module
    that it uses.
    """

    id: str
    declared: frozenset[str]
    functions: tuple[ast.FunctionDef, ...]

    @property
    def calls(self):
        """Return every call in it."""
        return [
            node for function in self.functions for node in ast.walk(function) if isinstance(node, ast.Call)
        ]

    @property
    def letters_asserted(self):
        """Return the letters of clauses that are asserted: by a wait, by the end of the subject, or by an
        assert whose message begins with the letter.
        """
        clauses = [
            keyword.value
            for call in self.calls
            for keyword in call.keywords
            if keyword.arg in ("clause", "survival")
        ]
        asserts = [
            node.msg
            for function in self.functions
            for node in ast.walk(function)
            if isinstance(node, ast.Assert)
        ]
        letters = {_text(assert_message).partition(":")[0] for assert_message in asserts}
        return (
            {_text(clause) for clause in clauses}
            | letters
            | {letter for function in self.functions for letter in _in_turn(function)}
        )

    @property
    def waits(self):
        """Tell whether something in it fails where nothing happens."""
        return any(_name(call) in WAITS | waiting(of_a_subject=self.judges_a_subject) for call in self.calls)

    @property
    def judges_a_subject(self):
        """Tell whether it plays with a check controller, whose words are called as those of the stage are."""
        parameters = {argument.arg for function in self.functions for argument in function.args.args}
        return "subject" in parameters

    @property
    def takes(self):
        """Tell whether it asserts an answer of the server, of which some case has to be a good one."""
        return any(isinstance(node, ast.Assert) for function in self.functions for node in ast.walk(function))


def scenarios():
    """Return every scenario that can be run."""
    return [
        scenario
        for file in sorted(ROOT.glob("suites/**/test_*.py"))
        for scenario in _scenarios_of(ast.parse(file.read_text("utf-8")))
    ]


def _scenarios_of(module):
    local = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    constants = {
        node.targets[0].id: node.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for function in local.values():
        for mark in function.decorator_list:
            if isinstance(mark, ast.Call) and _name(mark) == "scenario":
                arguments = {keyword.arg: keyword.value for keyword in mark.keywords}
                if "unsupported" not in arguments:
                    yield ScenarioSource(
                        ast.literal_eval(mark.args[0]),
                        _clauses_of(arguments, constants),
                        tuple(_reachable_functions(function, local)),
                    )


def _clauses_of(arguments, constants):
    """Return the letters of the clauses, which several scenarios of a module may share."""
    clauses = arguments.get("clauses")
    literal = constants[clauses.id] if isinstance(clauses, ast.Name) else clauses
    return frozenset(ast.literal_eval(literal)) if literal else frozenset()


def _reachable_functions(function, local):
    """Yield a function and those of its module that it calls or asks for as fixtures."""
    reached_functions, pending = {}, [function]
    while pending:
        current = pending.pop()
        if current.name not in reached_functions:
            reached_functions[current.name] = current
            names = {_name(node) for node in ast.walk(current) if isinstance(node, ast.Call)} | {
                argument.arg for argument in current.args.args
            }
            pending += [local[name] for name in sorted(names & local.keys())]
    return reached_functions.values()


@cache
def waiting(*, of_a_subject):
    """Return the words of the stage that wait for what they bring about, as `submit_until` does."""
    stage = ROOT / "kueue_conformance/stage"
    files = [file for file in stage.rglob("*.py") if of_a_subject or stage / "subject" not in file.parents]
    every = [
        node
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    waiting_names: frozenset[str] = frozenset()
    while True:
        further_names = frozenset(
            helper.name
            for helper in every
            if any(
                isinstance(node, ast.Call) and _name(node) in WAITS | waiting_names
                for node in ast.walk(helper)
            )
        )
        if further_names <= waiting_names:
            return waiting_names
        waiting_names |= further_names


def _in_turn(function):
    """Yield the letters of clauses that a loop asserts in turn: `for clause, … in zip("abc", …)`, or over a
    mapping by letters.
    """
    mappings = {
        node.targets[0].id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Dict)
    }
    for loop in ast.walk(function):
        if isinstance(loop, ast.For) and _asserts(loop, "clause"):
            for node in ast.walk(loop.iter):
                yield from _text(node)
                if isinstance(node, ast.Name):
                    yield from map(_text, getattr(mappings.get(node.id), "keys", ()))


def _asserts(loop, name):
    """Tell whether a loop asserts something whose message begins with a variable of the loop."""
    targets = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    messages = [node.msg for node in ast.walk(loop) if isinstance(node, ast.Assert)]
    first_values = [message.values[0] for message in messages if isinstance(message, ast.JoinedStr)]
    return name in targets and any(
        isinstance(value, ast.FormattedValue) and getattr(value.value, "id", "") == name
        for value in first_values
    )


def _name(call):
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def _text(value):
    """Return the beginning of a text in the source, empty where it is none."""
    first = value.values[0] if isinstance(value, ast.JoinedStr) and value.values else value
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
