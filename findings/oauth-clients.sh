#!/usr/bin/env bash
# OAuth 2.0, client credentials, at five clients, and how long each takes a token for good. Name and secret are form-encoded before they go into Basic (RFC 6749, section 2.3.1), since a
# name may have a colon and a secret anything: none of the four that send Basic does it, so that a server which goes by the RFC reads another name, and a space for the plus;
# aiohttp-oauth2-client has them in the body, encoded. `expires_in` may be left out (section 5.1): httpx-auth and aiohttp-oauth2-client raise what Python raises for a missing
# member. Where it is 0, the token has run out already: authlib, requests-oauth2client and requests-oauthlib keep it without an end, and httpx-auth raises.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: aiohttp-oauth2-client==2.0.1 authlib==1.9.10 httpx==0.28.1 httpx-auth==0.23.1 oauthlib==4.0.1 requests==2.34.2 requests-oauth2client==1.8.0 requests-oauthlib==2.0.0
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp_oauth2_client.grant.client_credentials, asyncio, authlib.integrations.requests_client, base64, http.server, httpx, httpx_auth, importlib.metadata as packages, json, os
import oauthlib.oauth2, requests_oauth2client, requests_oauthlib, threading, time

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
answer, seen = {}, []

class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        kind, _, pair = (self.headers["Authorization"] or "").partition(" ")
        seen.append(base64.b64decode(pair).decode() if kind == "Basic" else body.partition("&")[2])
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(text)
    def do_GET(self):
        self.send_response(204)
        self.end_headers()

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"

async def with_aiohttp_oauth2_client(name, secret):
    async with aiohttp_oauth2_client.grant.client_credentials.ClientCredentialsGrant(url, name, secret) as grant:
        await grant.fetch_token()
        return grant.token.expires_at

def with_httpx_auth(name, secret):
    httpx_auth.OAuth2.token_cache.clear()
    httpx.get(url, auth=httpx_auth.OAuth2ClientCredentials(url, name, secret))
    return next(iter(httpx_auth.OAuth2.token_cache.tokens.values()))[1]

def with_requests_oauth2client(name, secret):
    client = requests_oauth2client.OAuth2Client(url, auth=requests_oauth2client.ClientSecretBasic(name, secret), testing=True)
    expires = client.client_credentials().expires_at
    return expires and expires.timestamp()

def with_requests_oauthlib(name, secret):
    session = requests_oauthlib.OAuth2Session(client=oauthlib.oauth2.BackendApplicationClient(client_id=name))
    return session.fetch_token(url, client_id=name, client_secret=secret).get("expires_at")

clients = {
    "aiohttp-oauth2-client": lambda name, secret: asyncio.run(with_aiohttp_oauth2_client(name, secret)),
    "authlib": lambda name, secret: authlib.integrations.requests_client.OAuth2Session(name, secret).fetch_token(url, grant_type="client_credentials").get("expires_at"),
    "httpx-auth": with_httpx_auth, "requests-oauth2client": with_requests_oauth2client, "requests-oauthlib": with_requests_oauthlib,
}
for name in ["aiohttp-oauth2-client", "authlib", "httpx-auth", "oauthlib", "requests-oauth2client", "requests-oauthlib"]: print(name, packages.version(name))
answer = {"access_token": "t", "token_type": "Bearer", "expires_in": 3600}
for name, secret in [("ann", "secret"), ("ann:1", "p+q%2F r")]:
    print("client", name, "and secret", secret)
    for client, fetch in clients.items():
        seen.clear()
        fetch(name, secret)
        print(f"    {client}: {seen[0]}")
for more in [{"expires_in": 3600}, {}, {"expires_in": 0}, {"expires_in": 10}]:
    answer = {"access_token": "t", "token_type": "Bearer"} | more
    print("an answer with", json.dumps(more))
    for client, fetch in clients.items():
        try:
            expires = fetch("ann", "secret")
            print(f"    {client}: {'no end' if expires is None else f'good for {round((expires - time.time()) / 10) * 10} s'}")
        except Exception as error:
            print(f"    {client}: {type(error).__name__}")
END
diff - seen <<'END'
aiohttp-oauth2-client 2.0.1
authlib 1.9.10
httpx-auth 0.23.1
oauthlib 4.0.1
requests-oauth2client 1.8.0
requests-oauthlib 2.0.0
client ann and secret secret
    aiohttp-oauth2-client: client_id=ann&client_secret=secret
    authlib: ann:secret
    httpx-auth: ann:secret
    requests-oauth2client: ann:secret
    requests-oauthlib: ann:secret
client ann:1 and secret p+q%2F r
    aiohttp-oauth2-client: client_id=ann%3A1&client_secret=p%2Bq%252F+r
    authlib: ann:1:p+q%2F r
    httpx-auth: ann:1:p+q%2F r
    requests-oauth2client: ann:1:p+q%2F r
    requests-oauthlib: ann:1:p+q%2F r
an answer with {"expires_in": 3600}
    aiohttp-oauth2-client: good for 3600 s
    authlib: good for 3600 s
    httpx-auth: good for 3600 s
    requests-oauth2client: good for 3600 s
    requests-oauthlib: good for 3600 s
an answer with {}
    aiohttp-oauth2-client: KeyError
    authlib: no end
    httpx-auth: ValueError
    requests-oauth2client: no end
    requests-oauthlib: no end
an answer with {"expires_in": 0}
    aiohttp-oauth2-client: good for 0 s
    authlib: no end
    httpx-auth: ValueError
    requests-oauth2client: no end
    requests-oauthlib: no end
an answer with {"expires_in": 10}
    aiohttp-oauth2-client: good for 10 s
    authlib: good for 10 s
    httpx-auth: good for 10 s
    requests-oauth2client: good for 10 s
    requests-oauthlib: good for 10 s
END
