"""Validation rules on objects: words, transitions, what an unchanged value is forgiven (FK-268…275)."""

import pytest

from fakecluster.schema.compiled import NOT_CHECKED, compile_schema

STRING = {"type": "string"}
INT = {"type": "integer"}


def with_rule(node, rule, **rule_fields):
    return {**node, "x-kubernetes-validations": [{"rule": rule, **rule_fields}]}


def compiled(node):
    return compile_schema(
        {"type": "object", "properties": {"spec": {"type": "object", "properties": {"v": node}}}}
    )


def judge(node, value, *old):
    before = {"spec": {"v": old[0]}} if old else None
    return [str(error) for error in compiled(node).validate({"spec": {"v": value}}, before)]


OBJECT = {"type": "object", "properties": {"a": STRING, "b": INT}}
REASONED = "self != 'x'"


@pytest.mark.parametrize(
    ("node", "value", "error"),
    [
        pytest.param(
            with_rule(INT, "self > 5", message="must be above five"),
            1,
            "spec.v: Invalid value: 1: must be above five",
            id="scalars are shown",
        ),
        pytest.param(
            with_rule(INT, "self > 5"), 1, "spec.v: Invalid value: 1: failed rule: self > 5", id="no message"
        ),
        pytest.param(
            with_rule(OBJECT, "self.a == 'x'", message="m"),
            {"a": "y"},
            "spec.v: Invalid value: m",
            id="objects are not shown",
        ),
        pytest.param(
            with_rule(STRING, REASONED, message="m", reason="FieldValueForbidden"),
            "x",
            "spec.v: Forbidden: m",
            id="forbidden",
        ),
        pytest.param(
            with_rule(STRING, REASONED, message="m", reason="FieldValueRequired"),
            "x",
            "spec.v: Required value: m",
            id="required",
        ),
        pytest.param(
            with_rule(STRING, REASONED, message="m", reason="FieldValueDuplicate"),
            "x",
            'spec.v: Duplicate value: "x"',
            id="duplicate drops the message",
        ),
        pytest.param(
            with_rule(OBJECT, "false", messageExpression="'a is ' + self.a"),
            {"a": "y"},
            "spec.v: Invalid value: a is y",
            id="message expression",
        ),
        pytest.param(
            with_rule(OBJECT, "false", messageExpression="self.zz", message="m"),
            {},
            "spec.v: Invalid value: m",
            id="message expression that fails",
        ),
        pytest.param(
            with_rule(OBJECT, "false", message="m", fieldPath=".a"),
            {},
            "spec.v.a: Invalid value: m",
            id="field path",
        ),
        pytest.param(
            with_rule(OBJECT, "self.a == 'x'", message="m"),
            {},
            'spec.v: Invalid value: "object": no such key: a evaluating rule: m',
            id="error fk-273",
        ),
        pytest.param(
            with_rule(INT, "10 / self > 0", message="m"),
            0,
            'spec.v: Invalid value: "integer": division by zero evaluating rule: m',
            id="division",
        ),
        pytest.param(
            with_rule({"type": "array", "items": INT}, "self[1] > 0", message="m"),
            [1],
            'spec.v: Invalid value: "array": index out of bounds: 1 evaluating rule: m',
            id="index",
        ),
        pytest.param(
            with_rule({"x-kubernetes-int-or-string": True}, "self > 5", message="m"),
            "x",
            "spec.v: Invalid value: \"\": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: m",
            id="overload",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": with_rule(INT, "self < 3", message="m")},
            {"a.b": 5},
            "spec.v[a.b]: Invalid value: 5: m",
            id="map key",
        ),
    ],
)
def test_a_violated_rule_is_worded(node, value, error):
    assert judge(node, value) == [error]


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        pytest.param("quantity(self).isGreaterThan(quantity('1G'))", "1.5Gi", id="quantity"),
        pytest.param("ip(self).family() == 6 && ip.isCanonical(self)", "::1", id="ip"),
        pytest.param(
            "cidr(self).containsIP('10.1.1.1') && cidr(self).prefixLength() == 8", "10.0.0.0/8", id="cidr"
        ),
        pytest.param(
            "url(self).getHostname() == 'x.y' && url(self).getPort() == '80'", "https://x.y:80/p", id="url"
        ),
        pytest.param("semver(self).isLessThan(semver('1.10.0'))", "1.9.0-rc.1", id="semver"),
        pytest.param("self.find('[0-9]+') == '12' && self.findAll('[a-z]', 1) == ['a']", "a12b", id="regex"),
        pytest.param("!format.dns1123Label().validate(self).hasValue()", "a-b", id="format"),
        pytest.param("self.lowerAscii().split(',').size() == 2", "A,B", id="strings"),
        pytest.param(
            "sets.contains(['a', 'b'], [self]) && [1, 2].sum() == 3 && [1, 2].isSorted()",
            "a",
            id="sets and lists",
        ),
    ],
)
def test_kubernetes_functions_are_there_fk_275(rule, value):
    assert judge(with_rule(STRING, rule), value) == []


@pytest.mark.parametrize(
    ("format_", "rule", "value"),
    [
        pytest.param(
            "date-time", "self > timestamp('2020-01-01T00:00:00Z')", "2021-01-01T00:00:00Z", id="time"
        ),
        pytest.param("duration", "self > duration('1m')", "2m", id="duration"),
        pytest.param("byte", "self == b'abc'", "YWJj", id="bytes"),
    ],
)
def test_formatted_texts_have_types(format_, rule, value):
    assert judge(with_rule({**STRING, "format": format_}, rule), value) == []


def test_times_inside_objects_have_types():
    node = {"type": "object", "properties": {"t": {**STRING, "format": "date-time"}}}
    assert (
        judge(
            with_rule(node, "!has(self.t) || self.t > timestamp('2020-01-01T00:00:00Z')"),
            {"t": "2021-01-01T00:00:00Z"},
        )
        == []
    )


def test_names_that_are_no_identifiers_are_escaped_fk_271():
    node = {"type": "object", "properties": {"a-b": STRING, "namespace": STRING, "x__y": STRING}}
    rule = "self.a__dash__b == '1' && self.__namespace__ == '2' && self.x__underscores__y == '3'"
    assert judge(with_rule(node, rule), {"a-b": "1", "namespace": "2", "x__y": "3"}) == []


IMMUTABLE = with_rule(STRING, "self == oldSelf", message="immutable")


def test_a_transition_rule_waits_for_an_old_value():
    assert judge(IMMUTABLE, "a") == []
    assert judge(IMMUTABLE, "b", "a") == ['spec.v: Invalid value: "b": immutable']


def test_items_of_map_lists_are_matched_by_key():
    item = {
        "type": "object",
        "properties": {"k": STRING, "n": with_rule(INT, "self >= oldSelf", message="m")},
    }
    node = {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        "items": item,
    }
    old = [{"k": "a", "n": 5}, {"k": "b", "n": 1}]
    assert judge(node, [{"k": "b", "n": 1}, {"k": "a", "n": 4}], old) == ["spec.v[1].n: Invalid value: 4: m"]


def test_the_order_of_a_set_does_not_count():
    node = with_rule({"type": "array", "x-kubernetes-list-type": "set", "items": STRING}, "self == oldSelf")
    assert judge(node, ["b", "a"], ["a", "b"]) == []


@pytest.mark.parametrize(
    ("old", "errors"),
    [
        pytest.param([], [], id="no old value"),
        pytest.param(["lock"], ['spec.v: Invalid value: "x": locked'], id="old value"),
    ],
)
def test_an_optional_old_value(old, errors):
    rule = "!oldSelf.hasValue() || oldSelf.value() != 'lock'"
    assert judge(with_rule(STRING, rule, message="locked", optionalOldSelf=True), "x", *old) == errors


BAD_ITEMS = {"type": "array", "items": with_rule(STRING, "self != 'bad'", message="no bad")}


def test_what_did_not_change_is_forgiven_and_warned_of_fk_268():
    new, old = {"spec": {"v": ["bad"]}, "x": 1}, {"spec": {"v": ["bad"]}}
    assert compiled(BAD_ITEMS).validate(new, old) == []
    assert compiled(BAD_ITEMS).forgiven(new, old) == ['spec.v[0]: Invalid value: "bad": no bad']


def test_items_of_a_changed_plain_list_are_not_forgiven():
    assert judge(BAD_ITEMS, ["bad", "b"], ["bad"]) == ['spec.v[0]: Invalid value: "bad": no bad']


def test_an_unchanged_value_beyond_a_new_limit_is_forgiven():
    assert judge({**STRING, "maxLength": 1}, "long", "long") == []


@pytest.mark.parametrize(
    ("node", "value", "blocked"),
    [
        pytest.param({**INT, "maximum": 3}, 9, False, id="a limit does not block"),
        pytest.param({**STRING, "enum": ["a"]}, "b", True, id="an enumeration blocks"),
        pytest.param({**STRING, "maxLength": 1}, "bb", True, id="a length blocks"),
    ],
)
def test_some_errors_keep_rules_from_running_fk_270(node, value, blocked):
    errors = compiled(with_rule(node, "true")).validate({"spec": {"v": value}})
    assert (NOT_CHECKED in errors) is blocked


LISTS = "lists.range(self).size() + lists.range(self).size() >= 0"


def test_the_lists_of_one_evaluation_are_bounded_together_fk_274():
    (message,) = judge(with_rule(INT, LISTS), 600_000)

    assert "operation cancelled: actual cost limit exceeded" in message


def test_every_evaluation_begins_with_the_whole_budget_fk_274():
    assert [judge(with_rule(INT, LISTS), 400_000) for _ in range(3)] == [[], [], []]
