"""Holds the corpus against graphql-core 3.3 (`pip install 'graphql-core>=3.3.2'`), and fails where it says otherwise.

    python3 judge.py            compare
    python3 judge.py --record   write graphql-core's verdicts into the corpus

The verdict of a query is `valid`, `syntax` with a line, or the lines of its faults; `3/5`: the fault has several places, and may be
reported at any of them, and `*` stands where graphql-core doesn't say a place. Behind `->` is what Turnstone says where it differs on purpose.
"""

import json
import pathlib
import sys

from graphql import GraphQLSyntaxError, build_schema, parse, specified_rules, type_from_ast, validate, version
from graphql.utilities import validate_input_value

FOLDER = pathlib.Path(__file__).parent
# Not in the specification of September 2025.
BEYOND = ["DeferStreamDirective", "StreamDirective", "MaxIntrospectionDepth"]
RULES = [rule for rule in specified_rules if not rule.__name__.startswith(tuple(BEYOND))]
SCHEMA = build_schema((FOLDER / "birds.graphql").read_text())


def verdict_of_query(text):
    try:
        document = parse(text)
    except GraphQLSyntaxError as error:
        return f"syntax {error.locations[0].line}"
    faults = [sorted({place.line for place in error.locations or []}) for error in validate(SCHEMA, document, RULES)]
    return " ".join("/".join(map(str, lines)) or "*" for lines in sorted(faults)) or "valid"


def verdict_of_variables(operation, values):
    faults = []
    for variable in operation.variable_definitions:
        name = variable.variable.name.value
        kind = type_from_ast(SCHEMA, variable.type)

        def report(_, path):
            parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
            faults.append(f"${name}{''.join(parts)}")

        if name in values:
            validate_input_value(values[name], kind, report)
        elif variable.default_value is None and str(kind).endswith("!"):
            faults.append(f"${name}")
    return " ".join(sorted(faults)) or "valid"


def judged_queries(text):
    blocks = text.split("--- ")
    for block in blocks[1:]:
        recorded, query = block.split("\n", 1)
        _, arrow, ours = recorded.partition(" -> ")
        yield recorded, verdict_of_query(query) + arrow + ours, query


def judged_lines(text):
    operation = None
    for line in text.splitlines():
        if line.startswith("--- "):
            operation = parse(f"query {line[4:]} {{ a }}").definitions[0]
        if operation is None or line.startswith("--- "):
            yield None, None, line
        else:
            recorded, _, values = line.partition(" {")
            yield recorded, verdict_of_variables(operation, json.loads("{" + values)), "{" + values


def main():
    queries, variables = FOLDER / "queries.txt", FOLDER / "variables.txt"
    blocks = list(judged_queries(queries.read_text()))
    lines = list(judged_lines(variables.read_text()))
    if "--record" in sys.argv:
        queries.write_text("".join(f"--- {verdict}\n{query}" for _, verdict, query in blocks))
        variables.write_text("".join(f"{text}\n" if verdict is None else f"{verdict} {text}\n" for _, verdict, text in lines))
        return 0
    wrong = [row for row in blocks + lines if row[0] != row[1]]
    for recorded, verdict, text in wrong:
        print(f"recorded: {recorded}; graphql-core {version}: {verdict}\n{text}")
    print(f"{len(blocks)} queries, {sum(row[1] is not None for row in lines)} sets of variables, {len(wrong)} of them otherwise")
    return 1 if wrong else 0


sys.exit(main())
