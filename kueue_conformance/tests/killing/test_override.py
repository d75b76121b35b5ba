"""A decision is replaced wherever it is used, and is right again afterwards."""

from reference_impl.api.crds.definitions import definitions

from .planes import planes


def test_what_a_decision_about_the_api_has_made_is_made_anew():
    (plane,) = [one for one in planes() if one.name == "has_fields_of_later_releases"]
    right = definitions(plane.dialect)

    with plane.installed():
        wrong = definitions(plane.dialect)

    assert wrong != right
    assert definitions(plane.dialect) == right
