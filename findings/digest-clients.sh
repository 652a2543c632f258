#!/usr/bin/env bash
# Digest authentication (RFC 7616) at seven clients with the right password, before a server that computes the answer itself. SHA-512-256, which the RFC registers, is
# in libcurl alone (curl_cffi); requests asks a second time without an answer. `auth-int` is in libcurl and aiohttp, which prefers it to `auth`; what can't be done is
# the word None in niquests' field. aiohttp, httpx and urllib see no Digest behind a Basic in the same field (RFC 9110, section 11.6.1). A realm with quotes in it is
# sent back without its backslashes by five: the hash is right, and the field no longer is what the grammar allows. userhash=true, which lets a client hide its
# name, is taken up by libcurl alone.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: aiohttp==3.14.5 curl_cffi==0.17.0 httplib2==0.32.1 httpx==0.28.1 niquests==3.21.2 requests==2.34.2
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp, asyncio, curl_cffi, hashlib, http.server, httplib2, httpx, importlib.metadata as packages, niquests, re, requests, threading, urllib.request
from curl_cffi import Curl, CurlInfo, CurlOpt

user, password = "ann", "secret"
challenges = [
    'Digest realm="r", nonce="n", qop="auth"', 'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256', 'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-512-256',
    'Digest realm="r", nonce="n", qop="auth-int"', 'Digest realm="r", nonce="n", qop="auth,auth-int"', 'Basic realm="r", Digest realm="r", nonce="n", qop="auth"',
    r'Digest realm="a \"b\"", nonce="n", qop="auth"', 'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256, userhash=true',
]
hashes = {"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}
challenge, answers = None, []

def judge(text):
    if text is None: return "no answer"
    if not text.lower().startswith("digest "): return "the answer " + text
    fields = {(quoted or plain).lower(): text if quoted else word
              for quoted, text, plain, word in re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"|(\w+)=([^\s,]+)', text)}
    digest = lambda value: hashlib.new(hashes[fields.get("algorithm", "MD5").upper()], value.encode()).hexdigest()
    written = re.search(r'Digest realm="((?:[^"\\]|\\.)*)"', challenge)[1]
    realm = re.sub(r"\\(.)", r"\1", written)
    target = f"GET:{fields['uri']}" + (":" + digest("") if fields["qop"] == "auth-int" else "")
    response = digest(f"{digest(f'{user}:{realm}:{password}')}:n:{fields['nc']}:{fields['cnonce']}:{fields['qop']}:{digest(target)}")
    name = "" if fields["username"] == user else ", the name hashed" if fields["username"] == digest(f"{user}:{realm}") else ", another name"
    escapes = "" if f'realm="{written}"' in text else ", the realm without its escapes"
    return ("right" if response == fields["response"] else "wrong") + f", {fields['qop']}{name}{escapes}"

class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def do_GET(self):
        answers.append(self.headers["Authorization"])
        good = len(answers) > 1 and judge(answers[-1]).startswith("right")
        self.send_response(200 if good else 401)
        if not good: self.send_header("WWW-Authenticate", challenge)
        self.send_header("Content-Length", "0")
        self.end_headers()

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"

async def with_aiohttp():
    async with aiohttp.ClientSession(middlewares=[aiohttp.DigestAuthMiddleware(user, password)]) as session, session.get(url): pass

def with_libcurl():
    handle = Curl()
    for option, value in [(CurlOpt.URL, url.encode()), (CurlOpt.HTTPAUTH, 2), (CurlOpt.USERPWD, f"{user}:{password}".encode())]: handle.setopt(option, value)
    handle.perform()

def with_httplib2():
    client = httplib2.Http()
    client.add_credentials(user, password)
    client.request(url)

def with_urllib():
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    passwords.add_password(None, url, user, password)
    urllib.request.build_opener(urllib.request.HTTPDigestAuthHandler(passwords)).open(url)

clients = {
    "aiohttp": lambda: asyncio.run(with_aiohttp()), "curl_cffi": with_libcurl, "httplib2": with_httplib2,
    "httpx": lambda: httpx.get(url, auth=httpx.DigestAuth(user, password)), "niquests": lambda: niquests.get(url, auth=niquests.auth.HTTPDigestAuth(user, password)),
    "requests": lambda: requests.get(url, auth=requests.auth.HTTPDigestAuth(user, password)), "urllib": with_urllib,
}
for name in clients:
    if name != "urllib": print(name, packages.version(name))
for challenge in challenges:
    print(challenge)
    for name, ask in clients.items():
        answers.clear()
        raised = ""
        try: ask()
        except Exception as error: raised = f", {type(error).__name__}"
        print(f"    {name}: {'asked once' if len(answers) == 1 else judge(answers[1])}{raised}")
END
diff - seen <<'END'
aiohttp 3.14.5
curl_cffi 0.17.0
httplib2 0.32.1
httpx 0.28.1
niquests 3.21.2
requests 2.34.2
Digest realm="r", nonce="n", qop="auth"
    aiohttp: right, auth
    curl_cffi: right, auth
    httplib2: right, auth
    httpx: right, auth
    niquests: right, auth
    requests: right, auth
    urllib: right, auth
Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256
    aiohttp: right, auth
    curl_cffi: right, auth
    httplib2: asked once, TypeError
    httpx: right, auth
    niquests: right, auth
    requests: right, auth
    urllib: asked once, ValueError
Digest realm="r", nonce="n", qop="auth", algorithm=SHA-512-256
    aiohttp: asked once, ClientError
    curl_cffi: right, auth
    httplib2: asked once, TypeError
    httpx: asked once, KeyError
    niquests: asked once, ValueError
    requests: no answer
    urllib: asked once, ValueError
Digest realm="r", nonce="n", qop="auth-int"
    aiohttp: right, auth-int
    curl_cffi: right, auth-int
    httplib2: asked once, TypeError
    httpx: asked once, NotImplementedError
    niquests: the answer None
    requests: no answer
    urllib: asked once, URLError
Digest realm="r", nonce="n", qop="auth,auth-int"
    aiohttp: right, auth-int
    curl_cffi: right, auth
    httplib2: asked once, TypeError
    httpx: right, auth
    niquests: right, auth
    requests: right, auth
    urllib: right, auth
Basic realm="r", Digest realm="r", nonce="n", qop="auth"
    aiohttp: asked once
    curl_cffi: right, auth
    httplib2: right, auth
    httpx: asked once
    niquests: right, auth
    requests: right, auth
    urllib: asked once, HTTPError
Digest realm="a \"b\"", nonce="n", qop="auth"
    aiohttp: right, auth
    curl_cffi: right, auth
    httplib2: right, auth, the realm without its escapes
    httpx: right, auth, the realm without its escapes
    niquests: right, auth, the realm without its escapes
    requests: right, auth, the realm without its escapes
    urllib: right, auth, the realm without its escapes
Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256, userhash=true
    aiohttp: right, auth
    curl_cffi: right, auth, the name hashed
    httplib2: asked once, TypeError
    httpx: right, auth
    niquests: right, auth
    requests: right, auth
    urllib: asked once, ValueError
END
