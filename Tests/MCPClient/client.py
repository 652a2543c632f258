"""Talks to `turnstone mcp` with the official SDK of the Model Context Protocol: client.py TURNSTONE."""

import asyncio
import http.server
import json
import os
import sys
import tempfile
import threading

import mcp
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import ElicitResult


class Handler(http.server.BaseHTTPRequestHandler):
    seen = []

    def answer(self):
        Handler.seen.append(self.command)
        self.rfile.read(int(self.headers.get("content-length", 0)))
        body = b'{"greeting": "hello"}'
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *arguments):
        pass


async def main(program, folder, port):
    path = os.path.join(folder, "shop.yaml")
    with open(path, "w") as file:
        file.write(
            f"""turnstone: 1
requests:
  read: {{ get: "http://127.0.0.1:{port}/a", expect: {{ body: {{ .greeting: hello }} }} }}
  create: {{ post: "http://127.0.0.1:{port}/b", body: {{ json: {{ qty: 2 }} }} }}
"""
        )
    answers = ["decline", "accept"]
    questions = []

    async def elicit(context, params):
        questions.append(params.message)
        action = answers.pop(0)
        return ElicitResult(action=action, content={} if action == "accept" else None)

    parameters = StdioServerParameters(command=program, args=["mcp", path], env={"HOME": folder, "PATH": os.environ["PATH"]})
    async with stdio_client(parameters) as (reader, writer):
        async with mcp.ClientSession(reader, writer, elicitation_callback=elicit) as session:
            greeting = await session.initialize()
            print("revision", getattr(greeting, "protocol_version", None) or greeting.protocolVersion)
            tools = {tool.name: tool for tool in (await session.list_tools()).tools}
            assert set(tools) == {"list_requests", "show_request", "check_collection", "run_requests", "list_runs", "read_run"}, tools

            async def call(name, /, **arguments):
                result = await session.call_tool(name, arguments)
                failed = result.is_error if hasattr(result, "is_error") else result.isError
                return failed, [content.text for content in result.content]

            failed, texts = await call("list_requests")
            assert not failed and [request["id"] for request in json.loads(texts[0])[0]["requests"]] == ["read", "create"], texts
            failed, texts = await call("run_requests", names=["read"])
            assert not failed and json.loads(texts[0])["runs"][0]["verdict"] == "passed", texts
            failed, texts = await call("run_requests", names=["create"])
            assert failed and texts == ["Nothing was sent: the user didn't agree."], texts
            assert Handler.seen == ["GET"], Handler.seen
            failed, texts = await call("run_requests", names=["create"])
            assert not failed and Handler.seen == ["GET", "POST"], (texts, Handler.seen)
            assert questions == [f"Send POST http://127.0.0.1:{port}/b (create)? This may change something there."] * 2, questions
            failed, texts = await call("list_runs")
            assert not failed and len(texts[0].splitlines()) == 2, texts
            failed, texts = await call("read_run", run=1)
            assert not failed and json.loads(texts[1]) == {"greeting": "hello"}, texts
            failed, texts = await call("run_requests", name="read")
            assert failed and "no argument name" in texts[0], texts


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory() as folder:
    asyncio.run(main(os.path.abspath(sys.argv[1]), folder, server.server_port))
print("1 passed, 0 failed")
