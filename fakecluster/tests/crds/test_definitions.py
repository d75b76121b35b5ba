"""Which definitions are allowed, and where what is wrong is reported (FK-251…254, FK-259, FK-276, FK-283)."""

import pytest

from fakecluster.crds.defaulting import fill_defaults, prepare_update
from fakecluster.crds.definition import validate, validate_update
from fakecluster.crds.schema.empty_items import without_empty_items
from fakecluster.gotypes.codecs import codec_of
from fakecluster.gotypes.decoding_context import DecodingContext

STRING = {"type": "string"}
ROOT = "spec.validation.openAPIV3Schema"
FIELD = f"{ROOT}.properties[spec].properties[f]"
RULE = f"{FIELD}.x-kubernetes-validations[0]"
MORE_THAN_100 = "exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"


def of(schema, **version):
    return {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}, **version}


def with_field(node):
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": {"f": node}}}}


def definition(*versions, name="oks.demo.example.com", annotations=None, **spec):
    fields = {
        "group": "demo.example.com",
        "scope": "Namespaced",
        "names": {"plural": "oks", "kind": "Ok"},
        "versions": list(versions or [of({"type": "object"})]),
        **spec,
    }
    return fill_defaults({"metadata": {"name": name, "annotations": annotations or {}}, "spec": fields})


def errors(crd):
    return [str(error) for error in validate(crd)]


@pytest.mark.parametrize(
    ("crd", "field", "reason"),
    [
        pytest.param(definition(name="foo.demo.example.com"), "metadata.name", "Invalid", id="name"),
        pytest.param(
            definition(group="nodot", name="oks.nodot"), "spec.group", "Invalid", id="group without a dot"
        ),
        pytest.param(definition(scope="Foo"), "spec.scope", "NotSupported", id="scope"),
        pytest.param(
            definition(names={"plural": "oks", "kind": "O k"}), "spec.names.kind", "Invalid", id="kind"
        ),
        pytest.param(
            definition(names={"plural": "oks", "kind": "Ok", "listKind": "Ok"}),
            "spec.names.listKind",
            "Invalid",
            id="list kind",
        ),
        pytest.param(
            definition({**of({"type": "object"}), "schema": None}),
            "spec.versions[0].schema.openAPIV3Schema",
            "Required",
            id="no schema",
        ),
        pytest.param(
            definition(preserveUnknownFields=True), "spec.preserveUnknownFields", "Invalid", id="preserve"
        ),
        pytest.param(
            definition(conversion={"strategy": "Webhook"}),
            "spec.conversion.webhookClientConfig",
            "Required",
            id="webhook",
        ),
        pytest.param(
            definition(of({"type": "object"}, deprecationWarning="x")),
            "spec.versions[0].deprecationWarning",
            "Invalid",
            id="warning of what is not deprecated",
        ),
        pytest.param(
            definition(of({"type": "object"}, subresources={"scale": {}})),
            "spec.subresources.scale.specReplicasPath",
            "Required",
            id="scale",
        ),
        pytest.param(
            definition(
                of(
                    {"type": "object"},
                    additionalPrinterColumns=[{"name": "a", "type": "foo", "jsonPath": ".a"}],
                )
            ),
            "spec.additionalPrinterColumns[0].type",
            "Invalid",
            id="column",
        ),
        pytest.param(
            definition(of({"type": "object"}, selectableFields=[{"jsonPath": ".spec.x"}])),
            "spec.selectableFields[0].jsonPath",
            "Invalid",
            id="selectable",
        ),
        pytest.param(
            definition(group="cd.k8s.io", name="oks.cd.k8s.io"),
            "metadata.annotations[api-approved.kubernetes.io]",
            "Required",
            id="protected group",
        ),
        pytest.param(
            definition(of(with_field({"type": "string"}), storage=False)),
            "spec.versions",
            "Invalid",
            id="no storage version",
        ),
    ],
)
def test_a_wrong_definition_is_refused(crd, field, reason):
    errors = [(error.field, error.reason.removeprefix("FieldValue")) for error in validate(crd)]
    assert (field, reason) in errors


@pytest.mark.parametrize(
    "crd",
    [
        pytest.param(definition(), id="smallest"),
        pytest.param(definition(of({"type": "object"}, served=False)), id="not served"),
        pytest.param(definition(names={"plural": "oks", "kind": "O-k"}), id="dash in a kind"),
        pytest.param(definition(group="a.x-k8s.io", name="oks.a.x-k8s.io"), id="group not protected"),
    ],
)
def test_an_odd_definition_is_allowed(crd):
    assert errors(crd) == []


NESTED_RULE = {"x-kubernetes-validations": [{"rule": "true"}]}


@pytest.mark.parametrize(
    ("node", "error"),
    [
        pytest.param(
            {}, f"{FIELD}.type: Required value: must not be empty for specified object fields", id="no type"
        ),
        pytest.param(
            {**STRING, "$ref": ""}, f"{FIELD}.$ref: Forbidden: $ref is not supported", id="empty ref"
        ),
        pytest.param(
            {"type": "object", "dependencies": {}},
            f"{FIELD}.dependencies: Forbidden: dependencies is not supported",
            id="empty dependencies",
        ),
        pytest.param(
            {"type": "array", "items": STRING, "additionalItems": {}},
            f"{FIELD}.additionalItems: Forbidden: additionalItems is not supported",
            id="empty additional items",
        ),
        pytest.param(
            {"type": "array", "items": []},
            f"{FIELD}.items: Required value: must be specified",
            id="no schema in items",
        ),
        pytest.param(
            {**STRING, "not": {"$schema": "x"}},
            f"{ROOT}: Invalid value: \"\": OpenAPIV3Schema 'schema' is not supported",
            id="schema of a schema",
        ),
        pytest.param(
            {**STRING, "x-kubernetes-validations": [{"rule": "true", "message": "a\rb"}]},
            f'{RULE}.message: Invalid value: "a\\rb": must not contain line breaks',
            id="carriage return",
        ),
        pytest.param({"$ref": "#/x"}, f"{FIELD}.$ref: Forbidden: $ref is not supported", id="ref"),
        pytest.param(
            {"type": "foo"},
            f'{FIELD}.type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"',
            id="unknown type",
        ),
        pytest.param({"type": "array"}, f"{FIELD}.items: Required value: must be specified", id="no items"),
        pytest.param(
            {**STRING, "anyOf": [STRING]},
            f"{FIELD}.anyOf[0].type: Forbidden: must be empty to be structural",
            id="type in a junctor",
        ),
        pytest.param(
            {**STRING, "anyOf": [NESTED_RULE]},
            f"{FIELD}.anyOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural",
            id="rule in a junctor",
        ),
        pytest.param(
            {"type": "object", "x-kubernetes-preserve-unknown-fields": False},
            f"{FIELD}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined",
            id="preserve",
        ),
        pytest.param(
            {"type": "array", "items": STRING, "x-kubernetes-list-type": "foo"},
            f'{FIELD}.x-kubernetes-list-type: Unsupported value: "foo": supported values: "atomic", "set", "map"',
            id="list type",
        ),
        pytest.param(
            {"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "map"},
            f"{FIELD}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map",
            id="no keys fk-283",
        ),
        pytest.param(
            {"type": "integer", "maximum": 3, "default": 5},
            f"{FIELD}.default: Invalid value: 5:  in body should be less than or equal to 3",
            id="default",
        ),
        pytest.param(
            {**STRING, "pattern": "(["},
            f'{FIELD}.pattern: Invalid value: "([": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[`',
            id="pattern",
        ),
        pytest.param(
            {**STRING, "x-kubernetes-validations": [{"rule": " "}]},
            f"{RULE}.rule: Required value: rule is not specified",
            id="blank rule",
        ),
        pytest.param(
            {**STRING, "x-kubernetes-validations": [{"rule": "true", "fieldPath": ".zz"}]},
            f'{RULE}.fieldPath: Invalid value: ".zz": must be a valid path',
            id="field path",
        ),
        pytest.param(
            {**STRING, "x-kubernetes-validations": [{"rule": "self"}]},
            f'{RULE}.rule: Invalid value: {{"Rule":"self","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}}: cel expression must evaluate to a bool',
            id="rule is no condition",
        ),
    ],
)
def test_a_wrong_schema_is_refused_where_it_is_wrong(node, error):
    assert errors(definition(of(with_field(node)))) == [error]


@pytest.mark.parametrize(
    "node",
    [
        pytest.param(
            {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
            id="int-or-string",
        ),
        pytest.param(
            {**STRING, "anyOf": [{"type": "integer"}, {"type": "string"}]}, id="int-or-string of a text"
        ),
        pytest.param(
            {"type": "object", "additionalProperties": {**STRING, "default": 1}}, id="default of map values"
        ),
        pytest.param({"type": "object", "additionalProperties": True}, id="anything"),
        pytest.param({"x-kubernetes-preserve-unknown-fields": True}, id="preserve without type"),
        pytest.param({**STRING, "format": "foo"}, id="unknown format"),
    ],
)
def test_an_odd_schema_is_allowed(node):
    assert errors(definition(of(with_field(node)))) == []


def test_a_rule_that_may_cost_too_much_is_refused_fk_276():
    node = {
        "type": "array",
        "items": STRING,
        "x-kubernetes-validations": [{"rule": "self.all(x, self.all(y, x == y))"}],
    }
    assert errors(definition(of(with_field(node)))) == [
        f"{RULE}.rule: Forbidden: estimated rule cost {MORE_THAN_100}",
        f"{RULE}.rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
        f"{ROOT}: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema {MORE_THAN_100}",
    ]


def test_limits_make_the_same_rule_affordable():
    rule = {"x-kubernetes-validations": [{"rule": "self.all(x, self.all(y, x == y))"}]}
    assert (
        errors(
            definition(
                of(
                    with_field(
                        {"type": "array", "maxItems": 10, "items": {**STRING, "maxLength": 10}, **rule}
                    )
                )
            )
        )
        == []
    )


def test_versions_that_differ_report_at_the_version():
    crd = definition(of({"type": "object"}), of(with_field({}), name="v2", storage=False))
    assert errors(crd) == [
        "spec.versions[1].schema.openAPIV3Schema.properties[spec].properties[f].type: Required value: must not be empty for specified object fields"
    ]


@pytest.mark.parametrize(
    ("root", "words"),
    [
        pytest.param({"maxProperties": 0}, "only [", id="zero limit"),
        pytest.param({"$ref": ""}, "only [", id="empty text behind a pointer"),
        pytest.param({"title": ""}, "", id="empty text"),
    ],
)
def test_with_a_status_the_root_says_little(root, words):
    version = of({"type": "object", "properties": {"spec": {"type": "object"}}, **root})
    refused = errors(definition({**version, "subresources": {"status": {}}}))

    assert bool(refused) == bool(words)
    assert words in "".join(refused)


def test_a_default_of_the_root_is_a_whole_object():
    assert errors(definition(of({"type": "object", "default": {}}))) == [
        f"{ROOT}.default.apiVersion: Required value",
        f"{ROOT}.default.kind: Required value",
    ]


def test_a_default_in_embedded_metadata_makes_valid_metadata():
    labels = {"type": "object", "default": {"labels": {"a b": "c"}}}
    node = {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"metadata": labels}}

    refused = errors(definition(of(with_field(node))))

    assert "must result in valid metadata: metadata.labels: Invalid value" in refused[0]


def test_rules_beside_what_is_wrong_are_judged_too():
    unique = {"type": "array", "items": STRING, "uniqueItems": True}
    rule = {**STRING, "x-kubernetes-validations": [{"rule": "nope"}]}
    crd = definition(of({"type": "object", "properties": {"a": unique, "b": rule}}))

    assert [error.field for error in validate(crd)] == [
        f"{ROOT}.properties[a].uniqueItems",
        f"{ROOT}.properties[b].x-kubernetes-validations[0].rule",
    ]


SELECTABLE = {"selectableFields": [{"jsonPath": ".spec.f"}]}


@pytest.mark.parametrize(
    ("second", "field"),
    [
        pytest.param(
            of(with_field(STRING)), "spec.versions[0].selectableFields", id="one schema, other fields"
        ),
        pytest.param(of({"type": "object"}), None, id="other schema, other fields"),
        pytest.param(of(with_field(STRING), **SELECTABLE), None, id="one schema, one list"),
        pytest.param(
            of(with_field({"type": "integer"}), **SELECTABLE),
            "spec.selectableFields",
            id="other schema, one list",
        ),
    ],
)
def test_selectable_fields_need_a_schema_where_the_server_keeps_them(second, field):
    crd = definition(of(with_field(STRING), **SELECTABLE), {**second, "name": "v2", "storage": False})
    assert [error.field for error in validate(crd)] == ([field] if field else [])


def test_a_version_without_a_name_is_stored_all_the_same():
    refused = validate(definition(of({"type": "object"}, name="")))
    assert [error.field for error in refused] == ["spec.versions[0].name"]


ESTABLISHED = {"conditions": [{"type": "Established", "status": "True"}], "storedVersions": ["v1"]}


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        pytest.param({"scope": "Cluster"}, "spec.scope", id="scope"),
        pytest.param({"group": "x.y"}, "spec.group", id="group"),
        pytest.param({"names": {"plural": "foos", "kind": "Ok"}}, "spec.names.plural", id="plural"),
        pytest.param({"names": {"plural": "oks", "kind": "Foo"}}, "spec.names.kind", id="kind"),
    ],
)
def test_what_is_established_stays_fk_253(spec, field):
    old, new = ({**definition(**fields), "status": ESTABLISHED} for fields in ({}, spec))
    assert [error.field for error in validate_update(new, old)] == [field]


def test_what_stays_is_told_before_the_status():
    old = {**definition(), "status": ESTABLISHED}
    new = {**definition(group="x.y", scope="Cluster", names={"plural": "foos", "kind": "Foo"}), "status": {}}

    assert [error.field for error in validate_update(new, old)] == [
        "spec.scope", "spec.names.kind", "spec.group", "spec.names.plural", "status.storedVersions",
    ]  # fmt: skip


def converting(bundle):
    client = {"url": "https://x", "caBundle": bundle}
    webhook = {"clientConfig": client, "conversionReviewVersions": ["v1"]}
    return {**definition(conversion={"strategy": "Webhook", "webhook": webhook}), "status": ESTABLISHED}


def test_an_established_definition_gets_no_wrong_authority():
    refused = validate_update(converting("YQ=="), converting(""))
    assert [error.field for error in refused] == ["spec.conversion.webhookClientConfig.caBundle"]


def test_a_wrong_authority_may_give_way_to_another():
    assert validate_update(converting("Yg=="), converting("YQ==")) == []


def test_items_that_say_nothing_are_not_stored():
    crd = definition(of(with_field({**STRING, "items": []})))
    assert without_empty_items(crd) == definition(of(with_field(STRING)))


def test_every_stored_version_is_remembered_fk_254():
    old = {**definition(), "status": ESTABLISHED}
    new = prepare_update(
        definition(of({"type": "object"}, storage=False), of({"type": "object"}, name="v2")), old
    )
    assert new["status"]["storedVersions"] == ["v1", "v2"]


def test_names_and_conversion_have_defaults_fk_252():
    spec = definition()["spec"]
    assert (spec["names"]["singular"], spec["names"]["listKind"], spec["conversion"]) == (
        "ok",
        "OkList",
        {"strategy": "None"},
    )


def test_a_default_with_unknown_fields_is_judged_whole():
    crd = definition(of(with_field({"type": "string", "default": {"z": 1}})))

    assert errors(crd) == [
        f'{FIELD}.default: Invalid value: {{"z":1}}: must not have unknown fields',
        f'{FIELD}.default: Invalid value: "object":  in body must be of type string: "object"',
    ]


@pytest.mark.parametrize(
    ("member", "error"),
    [
        pytest.param("items", "", id="items"),
        pytest.param("additionalProperties", "boolean or JSON schema expected", id="additional-properties"),
    ],
)
def test_a_text_in_the_place_of_a_schema_is_no_schema(member, error):
    context = DecodingContext()

    codec_of("apiextensions.v1.JSONSchemaProps").decode({member: "x"}, context)

    assert context.error == error
