#!/usr/bin/env bash
# Schemas of 2020-12, and values that the standard decides, at four validators. 4.35 is a multiple of 0.01: jsonschema divides binary numbers. 1e308 is one of 0.5: fastjsonschema
# and jschon say no. fastjsonschema takes `$schema` of 2020-12 without a word and goes by draft 7: what stands beside a `$ref`, dependentRequired, maxContains and
# unevaluatedProperties count for nothing, and `items: false` behind prefixItems forbids all items. The second 60 at the end of 1998 was one (RFC 3339, section 5.7, has one
# like it): jsonschema refuses it. Durations have neither sign nor fraction (RFC 3339, appendix A): jsonschema takes both. jschon checks no format unless told to.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check fastjsonschema==2.22.3 isoduration==20.11.0 jschon==0.11.1 jsonschema==4.26.0 jsonschema-rs==0.61.2 rfc3339-validator==0.1.4
cd "$work"
env/bin/python - <<'END' | tee seen
import fastjsonschema, importlib.metadata as packages, jschon, json, jsonschema, jsonschema_rs

jschon.create_catalog("2020-12")
checker = jsonschema.Draft202012Validator.FORMAT_CHECKER

def with_fastjsonschema(schema, value):
    validate = fastjsonschema.compile(schema)
    try: validate(value)
    except fastjsonschema.JsonSchemaValueException: return False
    return True

validators = {
    "fastjsonschema": with_fastjsonschema, "jschon": lambda schema, value: jschon.JSONSchema(schema).evaluate(jschon.JSON(value)).valid,
    "jsonschema": lambda schema, value: jsonschema.Draft202012Validator(schema, format_checker=checker).is_valid(value),
    "jsonschema-rs": lambda schema, value: jsonschema_rs.validator_for(schema, validate_formats=True).is_valid(value),
}
for name in validators: print(name, packages.version(name))
for schema, text, right in [
    ({"multipleOf": 0.01}, "4.35", True), ({"multipleOf": 0.5}, "1e308", True), ({"multipleOf": 2}, "9007199254740993", False),
    ({"$defs": {"s": {"type": "string"}}, "$ref": "#/$defs/s", "maxLength": 1}, '"ab"', False), ({"dependentRequired": {"a": ["b"]}}, '{"a": 1}', False),
    ({"prefixItems": [{"type": "string"}], "items": False}, '["a"]', True), ({"contains": True, "maxContains": 1}, "[1, 2]", False),
    ({"properties": {"a": True}, "unevaluatedProperties": False}, '{"b": 1}', False),
    ({"format": "date-time"}, '"1998-12-31T23:59:60Z"', True), ({"format": "date-time"}, '"2026-02-29T00:00:00Z"', False), ({"format": "time"}, '"12:00:00"', False),
    ({"format": "duration"}, '"-P1D"', False), ({"format": "duration"}, '"P0.5D"', False),
]:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | ({"type": "string"} if "format" in schema else {}) | schema
    seen = {name: validate(schema, json.loads(text)) for name, validate in validators.items()}
    shown = {name: value for name, value in schema.items() if name != "$schema"}
    print(f"{json.dumps(shown)}, {text}: {'valid' if right else 'not valid'}; the other way at {', '.join(name for name in seen if seen[name] != right) or 'none'}")
END
diff - seen <<'END'
fastjsonschema 2.22.3
jschon 0.11.1
jsonschema 4.26.0
jsonschema-rs 0.61.2
{"multipleOf": 0.01}, 4.35: valid; the other way at jsonschema
{"multipleOf": 0.5}, 1e308: valid; the other way at fastjsonschema, jschon
{"multipleOf": 2}, 9007199254740993: not valid; the other way at none
{"$defs": {"s": {"type": "string"}}, "$ref": "#/$defs/s", "maxLength": 1}, "ab": not valid; the other way at fastjsonschema
{"dependentRequired": {"a": ["b"]}}, {"a": 1}: not valid; the other way at fastjsonschema
{"prefixItems": [{"type": "string"}], "items": false}, ["a"]: valid; the other way at fastjsonschema
{"contains": true, "maxContains": 1}, [1, 2]: not valid; the other way at fastjsonschema
{"properties": {"a": true}, "unevaluatedProperties": false}, {"b": 1}: not valid; the other way at fastjsonschema
{"type": "string", "format": "date-time"}, "1998-12-31T23:59:60Z": valid; the other way at jsonschema
{"type": "string", "format": "date-time"}, "2026-02-29T00:00:00Z": not valid; the other way at jschon
{"type": "string", "format": "time"}, "12:00:00": not valid; the other way at fastjsonschema, jschon
{"type": "string", "format": "duration"}, "-P1D": not valid; the other way at jschon, jsonschema
{"type": "string", "format": "duration"}, "P0.5D": not valid; the other way at jschon, jsonschema
END
