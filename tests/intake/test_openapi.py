"""OpenAPI documents: operations become criteria."""

import json

import pytest

from donewhen.core.errors import UserError
from donewhen.core.promise import Criterion
from donewhen.intake.openapi import openapi_spec
from donewhen.intake.parts import Parts
from tests.tables import table_test

PETS = """\
# the shop
openapi: 3.1.0
info:
  title: Pets
paths:
  /pets:
    parameters: []
    get:
      operationId: listPets
      summary: List them
      responses:
        200: {description: ok}
        '404': {description: no}
        4XX: {description: other}
        default: {description: any}
        x-note: none
    post:
      description: |
        Adds one.
        More.
  /pets/{id}:
    $ref: '#/components/pathItems/Pet'
  /loop:
    $ref: '#/paths/~1loop2'
  /loop2:
    $ref: '#/paths/~1loop'
    delete: {operationId: listPets}
  x-internal: 5
components:
  pathItems:
    Pet:
      get: {responses: {'200': {$ref: 'https://example.invalid/x.yml'}}}
webhooks:
  new: {post: {responses: {'200': {}}}}
"""


def test_every_documented_operation_is_a_criterion():
    assert openapi_spec(PETS, "api.yml") == Parts(
        "api.yml (OpenAPI 3.1.0)",
        "Pets",
        (
            Criterion("listPets", "GET /pets answers 200, 404, 4XX, default: List them", source="api.yml:8"),
            Criterion("post-pets", "POST /pets: Adds one. More.", source="api.yml:17"),
            Criterion("get-pets-id", "GET /pets/{id} answers 200", source="api.yml:32"),
            Criterion("listPets-2", "DELETE /loop", source="api.yml:27"),
            Criterion("listPets-3", "DELETE /loop2", source="api.yml:27"),
        ),
        places={"objective": "api.yml:4"},
    )


def test_json_and_swagger_are_read():
    data = {"swagger": "2.0", "paths": {"/a": {"get": {"responses": {"200": {}}}}}}
    parts = openapi_spec(json.dumps(data, indent="\t"), "api.json")
    assert (parts.source, parts.objective) == ("api.json (OpenAPI 2.0)", "")
    assert [each.description for each in parts.criteria] == ["GET /a answers 200"]
    assert openapi_spec("swagger: 2.0\npaths: {/a: {get: {}}}\n", "a.yml").criteria[0].id == "get-a"


@table_test(
    ("text", "sentence"),
    [
        ("a: 1\n", "a.yml:1 is no OpenAPI document"),
        ("", "a.yml:1 is no OpenAPI document"),
        ("[openapi]", "a.yml:1 is no OpenAPI document"),
        ("openapi: 3.0.0\n", "a.yml:1 describes no operation"),
        ("openapi: 3.0.0\npaths: {}\n", "a.yml:2 describes no operation"),
        ("openapi: 3.0.0\npaths:\n  /a: {}\n", "a.yml:2 describes no operation"),
        ("openapi: 4.0.0\npaths: {/a: {get: {}}}\n", "a.yml:1: version '4.0.0' is not read"),
        ("swagger: '1.2'\n", "a.yml:1: version '1.2' is not read"),
        ("openapi: {}\n", "a.yml:1: version '' is not read"),
        ("openapi: 3.0.0\npaths: [a]\n", "a.yml:2: paths must be a mapping"),
        ("openapi: 3.0.0\npaths:\n  pets: {}\n", "a.yml:3: the path 'pets' does not start with a slash"),
        ("openapi: 3.0.0\npaths:\n  /a: 5\n", "a.yml:3: path item must be a mapping"),
        ("openapi: 3.0.0\npaths:\n  /a:\n    get: 5\n", "a.yml:4: get must be a mapping"),
        (
            "openapi: 3.0.0\npaths:\n  /a: {$ref: 'http://x/y.yml'}\n",
            "a.yml:3: the reference 'http://x/y.yml' leads out",
        ),
        (
            "openapi: 3.0.0\npaths:\n  /a: {$ref: other.yml#/x}\n",
            "a.yml:3: the reference 'other.yml#/x' leads out",
        ),
        ("openapi: 3.0.0\npaths:\n  /a: {$ref: '#/none'}\n", "a.yml:3: the reference '#/none' names nothing"),
        ("openapi: 3.0.0\npaths:\n  /a: {$ref: [1]}\n", "a.yml:3: the reference '' leads out"),
        ("openapi: 3.0.0\npaths:\n\t/a: {}\n", "a.yml:3"),
        ("openapi: 3.0.0\npaths:\n  /a: {}\n  /a: {}\n", "a.yml:4: the key `/a` is given twice"),
        ('{"openapi": "3.0.0", "paths": {', "a.yml:2"),
    ],
)
def test_a_broken_document_is_one_sentence_with_file_and_line(text, sentence):
    with pytest.raises(UserError) as caught:
        openapi_spec(text, "a.yml")
    assert sentence in str(caught.value)
    assert "\n" not in caught.value.say("zh")


def test_references_lead_through_lists_and_escapes():
    text = (
        "openapi: 3.0.0\npaths:\n  /a: {$ref: '#/x-list/1'}\n  /b: {$ref: '#/x~0y/p%20q'}\n"
        "x-list: [{}, {get: {summary: one}}]\nx~y: {p q: {put: {summary: two}}}\n"
    )
    assert [each.description for each in openapi_spec(text, "a.yml").criteria] == [
        "GET /a: one",
        "PUT /b: two",
    ]


def test_many_operations_of_one_name_get_names_of_their_own():
    paths = "\n".join(f"  /a{n}: {{get: {{operationId: same}}}}" for n in range(2000))
    parts = openapi_spec(f"openapi: 3.0.0\npaths:\n{paths}\n", "a.yml")
    assert len({each.id for each in parts.criteria}) == 2000
