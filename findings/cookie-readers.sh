#!/usr/bin/env bash
# What six servers make of a Cookie field whose cookies have the names of attributes: path, version, samesite are names like others there (RFC 6265, section 4.2), and so is what begins
# with a dollar. Python's http.cookies, which bottle reads with, takes them for attributes of the cookie in front, as in the RFC 2109 of 1997, and finds nothing at all
# where one comes first; WebOb drops most of them. Of two cookies of a name, the first is that of the longer path (section 5.4): werkzeug alone gives it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check bottle==0.13.4 django==5.2.19 starlette==1.10.0 tornado==6.6.1 webob==1.8.11 werkzeug==3.1.9
cd "$work"
env/bin/python - <<'END' | tee seen
import bottle, django.http.cookie, importlib.metadata as packages, starlette.requests, tornado.httputil, webob.cookies, werkzeug.http

readers = {
    "bottle": lambda field: dict(bottle.Request({"HTTP_COOKIE": field}).cookies), "django": django.http.cookie.parse_cookie,
    "starlette": lambda field: starlette.requests.Request({"type": "http", "headers": [(b"cookie", field.encode())]}).cookies,
    "tornado": tornado.httputil.parse_cookie, "webob": lambda field: dict(webob.cookies.RequestCookies({"HTTP_COOKIE": field})),
    "werkzeug": lambda field: dict(werkzeug.http.parse_cookie(field)),
}
for name in readers: print(name, packages.version(name))
for field in ["a=1; b=2", "path=1; b=2", "a=1; path=2; b=3", "a=1; version=2; b=3", "samesite=1; b=2", "$a=1; b=2", "a=1; a=2"]:
    print(field)
    for name, read in readers.items():
        print(f"    {name}: {'; '.join(f'{cookie}={value}' for cookie, value in read(field).items()) or 'nothing'}")
END
diff - seen <<'END'
bottle 0.13.4
django 5.2.19
starlette 1.10.0
tornado 6.6.1
webob 1.8.11
werkzeug 3.1.9
a=1; b=2
    bottle: a=1; b=2
    django: a=1; b=2
    starlette: a=1; b=2
    tornado: a=1; b=2
    webob: a=1; b=2
    werkzeug: a=1; b=2
path=1; b=2
    bottle: nothing
    django: path=1; b=2
    starlette: path=1; b=2
    tornado: path=1; b=2
    webob: b=2
    werkzeug: path=1; b=2
a=1; path=2; b=3
    bottle: a=1; b=3
    django: a=1; path=2; b=3
    starlette: a=1; path=2; b=3
    tornado: a=1; path=2; b=3
    webob: a=1; b=3
    werkzeug: a=1; path=2; b=3
a=1; version=2; b=3
    bottle: a=1; b=3
    django: a=1; version=2; b=3
    starlette: a=1; version=2; b=3
    tornado: a=1; version=2; b=3
    webob: a=1; version=2; b=3
    werkzeug: a=1; version=2; b=3
samesite=1; b=2
    bottle: nothing
    django: samesite=1; b=2
    starlette: samesite=1; b=2
    tornado: samesite=1; b=2
    webob: b=2
    werkzeug: samesite=1; b=2
$a=1; b=2
    bottle: b=2
    django: $a=1; b=2
    starlette: $a=1; b=2
    tornado: $a=1; b=2
    webob: b=2
    werkzeug: $a=1; b=2
a=1; a=2
    bottle: a=2
    django: a=2
    starlette: a=2
    tornado: a=2
    webob: a=2
    werkzeug: a=1
END
