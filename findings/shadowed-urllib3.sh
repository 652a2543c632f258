#!/usr/bin/env bash
# Two packages with one module: niquests brings urllib3-future, whose start-up file (.pth) puts itself in the place of urllib3, as its authors say, so that requests beside it talks through another
# library, although pip still lists urllib3 2.8.0 and finds nothing wrong. The same script of requests then gets another answer: behind a 103 (RFC 9110, section 15.2) the final one, where
# it had the 103 for it. Taking niquests and urllib3-future off takes urllib3 along: pip goes on listing it, and requests can't be imported. Whoever compares clients installs each alone.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: requests==2.34.2 urllib3==2.8.0
cd "$work"
cat >look.py <<'LOOK'
import socket, threading
try:
    import requests, urllib3
except ImportError as error:
    print(f"    requests: {type(error).__name__}")
    raise SystemExit
listener = socket.create_server(("127.0.0.1", 0))

def serve():
    connection, _ = listener.accept()
    with connection:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")

threading.Thread(target=serve, daemon=True).start()
answer = requests.get(f"http://127.0.0.1:{listener.getsockname()[1]}/")
print(f"    requests: {answer.status_code} {answer.text}".rstrip())
print("    urllib3 that it uses:", urllib3.__version__)
LOOK
look() {
    echo "$1"
    env/bin/python look.py
    env/bin/pip list --disable-pip-version-check 2>/dev/null | sed -n 's/^\(urllib3[^ ]*\)  *\(.*\)/    listed: \1 \2/p'
    env/bin/pip check --disable-pip-version-check | sed 's/^/    pip check: /'
}
{
    look "requests"
    env/bin/pip install --quiet --disable-pip-version-check --only-binary :all: niquests==3.21.2 urllib3-future==2.25.904
    look "requests and niquests"
    env/bin/pip uninstall --quiet --yes --disable-pip-version-check niquests urllib3-future
    look "requests again"
} | tee seen
diff - seen <<'END'
requests
    requests: 103
    urllib3 that it uses: 2.8.0
    listed: urllib3 2.8.0
    pip check: No broken requirements found.
requests and niquests
    requests: 200 hi
    urllib3 that it uses: 2.25.904
    listed: urllib3 2.8.0
    listed: urllib3-future 2.25.904
    pip check: No broken requirements found.
requests again
    requests: ModuleNotFoundError
    listed: urllib3 2.8.0
    pip check: No broken requirements found.
END
