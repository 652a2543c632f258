#!/usr/bin/env bash
# One URL, two hosts: what a name beyond ASCII is on the wire depends on the client. Python's own codec is that of 2003 (RFC 3490), which takes ß for ss and
# drops U+200C; idna, and so requests and httpx, is that of 2008 (RFC 5891). yarl, and so aiohttp, takes that of 2003 for what the other one refuses.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check httpx==0.28.1 idna==3.20 requests==2.34.2 yarl==1.25.1
cd "$work"
env/bin/python - <<'END' | tee seen
import httpx, idna, importlib.metadata as packages, requests, yarl
from urllib.parse import urlsplit

clients = {
    "Python's codec": lambda name: name.encode("idna").decode(),
    "httpx": lambda name: httpx.URL(f"http://{name}/").raw_host.decode(),
    "requests": lambda name: urlsplit(requests.Request("GET", f"http://{name}/").prepare().url).hostname,
    "yarl": lambda name: yarl.URL(f"http://{name}/").raw_host,
}
for name in ["httpx", "idna", "requests", "yarl"]: print(name, packages.version(name))
for name in ["faß.de", "βόλος.com", "☕.us", "ＡＢ.de"]:
    print(name)
    for client, host in clients.items():
        try:
            print(f"    {client}: {host(name)}")
        except Exception as error:
            print(f"    {client}: refused")
END
diff - seen <<'END'
httpx 0.28.1
idna 3.20
requests 2.34.2
yarl 1.25.1
faß.de
    Python's codec: fass.de
    httpx: xn--fa-hia.de
    requests: xn--fa-hia.de
    yarl: xn--fa-hia.de
βόλος.com
    Python's codec: xn--nxasmq6b.com
    httpx: xn--nxasmm1c.com
    requests: xn--nxasmm1c.com
    yarl: xn--nxasmm1c.com
☕.us
    Python's codec: xn--53h.us
    httpx: refused
    requests: refused
    yarl: xn--53h.us
ＡＢ.de
    Python's codec: ab.de
    httpx: refused
    requests: refused
    yarl: ab.de
END
