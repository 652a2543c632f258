#!/usr/bin/env bash
# Whether three caches of clients answer the last of a few requests for one URL themselves, and whether RFC 9111 lets them. All three ignore Age, and so take for new what
# has been in a cache on the way for two hours (section 4.2.3). Names of directives are read without regard to case, and values with quotes or without (section 5.2): CacheControl
# knows neither, httplib2 no quotes. CacheControl takes no notice of a no-cache beside a max-age (section 5.2.2.4). Without a Date, which a server without a clock leaves out (RFC 9110,
# section 6.6.1), these two keep nothing. `Vary: *` never matches (section 4.1), but does in httplib2. A POST makes what is kept old (section 4.4): to httplib2 alone.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check CacheControl==0.14.4 httplib2==0.32.1 msgpack==1.2.4 requests==2.34.2 requests-cache==1.3.3
cd "$work"
env/bin/python - <<'END' | tee seen
import cachecontrol, email.utils, http.server, httplib2, importlib.metadata as packages, requests, requests_cache, threading, time

# Of each: fields, the requests, and whether the last is to be answered by the cache. DATE is that of the answer.
cases = {
    "max-age": ("Cache-Control: max-age=3600\nDATE", "GET GET", True), "Max-Age": ("Cache-Control: Max-Age=3600\nDATE", "GET GET", True),
    "quotes": ('Cache-Control: max-age="3600"\nDATE', "GET GET", True), "no Date": ("Cache-Control: max-age=3600", "GET GET", True),
    "Age": ("Cache-Control: max-age=3600\nAge: 7200\nDATE", "GET GET", False), "no-cache": ("Cache-Control: no-cache, max-age=3600\nDATE", "GET GET", False),
    "Vary: *": ("Cache-Control: max-age=3600\nVary: *\nDATE", "GET GET", False), "GET POST GET": ("Cache-Control: max-age=3600\nDATE", "GET POST GET", False),
}
asked = []

class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def do_GET(self):
        asked.append(self.command)
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        fields = list(cases.values())[int(self.path.split("/")[2])][0].replace("DATE", "Date: " + email.utils.formatdate(usegmt=True))
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + fields.replace("\n", "\r\n").encode() + b"\r\n\r\nhi")
    do_POST = do_GET

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()

def with_httplib2():
    client = httplib2.Http("kept")
    return lambda method, url: client.request(url, method)

caches = {
    "CacheControl": lambda: cachecontrol.CacheControl(requests.Session()).request, "httplib2": with_httplib2,
    "requests-cache": lambda: requests_cache.CachedSession(backend="memory", cache_control=True).request,
}
for name in caches: print(name, packages.version(name))
for index, (title, (_, methods, hit)) in enumerate(cases.items()):
    print(f"{title}: {'its own answer' if hit else 'asks again'}")
    for name, make in caches.items():
        asked.clear()
        request = make()
        for method in methods.split(): request(method, f"http://127.0.0.1:{server.server_port}/{name}/{index}")
        print(f"    {name}: {'its own answer' if len(asked) < len(methods.split()) else 'asks again'}")
END
diff - seen <<'END'
CacheControl 0.14.4
httplib2 0.32.1
requests-cache 1.3.3
max-age: its own answer
    CacheControl: its own answer
    httplib2: its own answer
    requests-cache: its own answer
Max-Age: its own answer
    CacheControl: asks again
    httplib2: its own answer
    requests-cache: its own answer
quotes: its own answer
    CacheControl: asks again
    httplib2: asks again
    requests-cache: its own answer
no Date: its own answer
    CacheControl: asks again
    httplib2: asks again
    requests-cache: its own answer
Age: asks again
    CacheControl: its own answer
    httplib2: its own answer
    requests-cache: its own answer
no-cache: asks again
    CacheControl: its own answer
    httplib2: asks again
    requests-cache: asks again
Vary: *: asks again
    CacheControl: asks again
    httplib2: its own answer
    requests-cache: asks again
GET POST GET: asks again
    CacheControl: its own answer
    httplib2: asks again
    requests-cache: its own answer
END
