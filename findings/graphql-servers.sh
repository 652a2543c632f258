#!/usr/bin/env bash
# What two servers make of GraphQL over HTTP. Of a document with two operations and no operationName, Strawberry executes the first one (GraphQL, section 6.1, wants a request
# error), and it answers what it can't parse with a `data` of null (section 7.1 wants none). Neither answers by `application/graphql-response+json`, even where Accept names nothing
# else. Ariadne's status is 400 for an error of execution, too, and unless its explorer is switched off, a query by GET is answered by a page in HTML.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
    strawberry-graphql==0.341.2 ariadne==1.1.1 graphql-core==3.3.2 starlette==1.10.0 httpx==0.28.1
cd "$work"
env/bin/python - <<'END' 2>/dev/null | tee seen
import asyncio, importlib.metadata as packages
from typing import Optional
import ariadne.asgi, httpx, strawberry.asgi
from ariadne import QueryType, make_executable_schema

@strawberry.type
class Query:
    @strawberry.field
    def good(self) -> Optional[int]: return 1
    @strawberry.field
    def bad(self) -> int: raise ValueError("no")

query = QueryType()
query.set_field("good", lambda *_: 1)
@query.field("bad")
def bad(*_): raise ValueError("no")
servers = {
    "strawberry-graphql": strawberry.asgi.GraphQL(strawberry.Schema(Query)),
    "ariadne": ariadne.asgi.GraphQL(make_executable_schema("type Query { good: Int bad: Int! }", query)),
}
own = {"accept": "application/graphql-response+json"}
calls = {
    "two operations, and no name": ("POST", {"json": {"query": "query A { good } query B { good }"}}),
    "GraphQL's own type alone": ("POST", {"json": {"query": "{ good }"}, "headers": own}),
    "not to be parsed": ("POST", {"json": {"query": "{ good"}}),
    "not valid": ("POST", {"json": {"query": "{ other }"}}),
    "a root that is null": ("POST", {"json": {"query": "{ bad }"}}),
    "by GET": ("GET", {"params": {"query": "{ good }"}}),
}

async def main():
    for name, server in servers.items():
        print(name, packages.version(name))
        transport = httpx.ASGITransport(server, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
            for what, (method, options) in calls.items():
                answer = await client.request(method, "/", **options)
                kind = answer.headers["content-type"].split(";")[0]
                members = f' {", ".join(f"{key} {type(value).__name__}" for key, value in sorted(answer.json().items()))}' if "json" in kind else ""
                print(f"    {what}: {answer.status_code} {kind}{members}")

asyncio.run(main())
END
diff - seen <<'END'
strawberry-graphql 0.341.2
    two operations, and no name: 200 application/json data dict
    GraphQL's own type alone: 200 application/json data dict
    not to be parsed: 200 application/json data NoneType, errors list
    not valid: 200 application/json data NoneType, errors list
    a root that is null: 200 application/json data NoneType, errors list
    by GET: 200 application/json data dict
ariadne 1.1.1
    two operations, and no name: 400 application/json data NoneType, errors list
    GraphQL's own type alone: 200 application/json data dict
    not to be parsed: 400 application/json errors list
    not valid: 400 application/json errors list
    a root that is null: 400 application/json data NoneType, errors list
    by GET: 200 text/html
END
