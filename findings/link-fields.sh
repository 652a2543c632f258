#!/usr/bin/env bash
# The field Link (RFC 8288), at five readers: where does `next` lead? requests and httpx break a target off at its first semicolon, and lose the relation to a `=` in
# a text in quotes in front of it; a `;` there loses it to aiohttp, and a `, <` gives all three another target. A relation of two words is two relations (section 3.3): to these
# three it is one that nobody asks for. Names of parameters are read without regard to case (section 3): to all but LinkHeader REL is none.
# linkheader-parser finds nothing where the relation stands without quotes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check aiohttp==3.14.5 yarl==1.25.1 httpx==0.28.1 requests==2.34.2 LinkHeader==0.4.3 linkheader-parser==0.6
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp, asyncio, http.server, httpx, importlib.metadata as packages, link_header, linkheader_parser, requests, threading

fields = [
    '<https://h.example/a>; rel="next"', '<https://h.example/a>; rel=next', '<https://h.example/a;b=1>; rel="next"', '<https://h.example/a>; rel="next last"',
    '<https://h.example/a>; REL="next"', '<https://h.example/a>; title="a=b"; rel="next"', '<https://h.example/a>; title="a; rel=up"; rel="next"',
    '<https://h.example/a>; title="see, <b>"; rel="next"',
]

class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        self.send_response(200)
        self.send_header("Link", fields[int(self.path[1:])])
        self.send_header("Content-Length", "0")
        self.end_headers()

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()

async def with_aiohttp(url):
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return {relation: str(link["url"]) for relation, link in answer.links.items()}

def with_linkheader(url):
    links = link_header.parse(requests.get(url).headers["Link"]).links_by_attr_pairs([])
    return {word: link.href for link in links for name, value in link.attr_pairs[:] if name.lower() == "rel" for word in value.split()}

clients = {
    "aiohttp": lambda url: asyncio.run(with_aiohttp(url)),
    "httpx": lambda url: {relation: link["url"] for relation, link in httpx.get(url).links.items()},
    "requests": lambda url: {relation: link["url"] for relation, link in requests.get(url).links.items()},
    "LinkHeader": with_linkheader,
    "linkheader-parser": lambda url: {relation: link["url"] for relation, link in linkheader_parser.parse(requests.get(url).headers["Link"]).items()},
}
for name in clients: print(name, packages.version(name))
for index, field in enumerate(fields):
    print(field)
    for name, links in clients.items():
        origin = f"http://127.0.0.1:{server.server_port}"
        print(f"    {name}: {links(f'{origin}/{index}').get('next', 'no next').removeprefix(origin)}")
END
diff - seen <<'END'
aiohttp 3.14.5
httpx 0.28.1
requests 2.34.2
LinkHeader 0.4.3
linkheader-parser 0.6
<https://h.example/a>; rel="next"
    aiohttp: https://h.example/a
    httpx: https://h.example/a
    requests: https://h.example/a
    LinkHeader: https://h.example/a
    linkheader-parser: https://h.example/a
<https://h.example/a>; rel=next
    aiohttp: https://h.example/a
    httpx: https://h.example/a
    requests: https://h.example/a
    LinkHeader: https://h.example/a
    linkheader-parser: no next
<https://h.example/a;b=1>; rel="next"
    aiohttp: https://h.example/a;b=1
    httpx: https://h.example/a
    requests: https://h.example/a
    LinkHeader: https://h.example/a;b=1
    linkheader-parser: https://h.example/a;b=1
<https://h.example/a>; rel="next last"
    aiohttp: no next
    httpx: no next
    requests: no next
    LinkHeader: https://h.example/a
    linkheader-parser: https://h.example/a
<https://h.example/a>; REL="next"
    aiohttp: no next
    httpx: no next
    requests: no next
    LinkHeader: https://h.example/a
    linkheader-parser: no next
<https://h.example/a>; title="a=b"; rel="next"
    aiohttp: https://h.example/a
    httpx: no next
    requests: no next
    LinkHeader: https://h.example/a
    linkheader-parser: https://h.example/a
<https://h.example/a>; title="a; rel=up"; rel="next"
    aiohttp: no next
    httpx: https://h.example/a
    requests: https://h.example/a
    LinkHeader: https://h.example/a
    linkheader-parser: https://h.example/a
<https://h.example/a>; title="see, <b>"; rel="next"
    aiohttp: /b
    httpx: b
    requests: b
    LinkHeader: https://h.example/a
    linkheader-parser: https://h.example/a
END
