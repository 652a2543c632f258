#!/usr/bin/env bash
# What is chosen of `application/json` and `text/html`, offered in this order, by Accept (RFC 9110, section 12.5.1). python-mimeparse takes the last one where both are as
# good, knows no `TEXT/HTML` (types have no case: section 8.3.1), and raises an error at a comma in quotes; `text/html;level=1` is the plain type to it, and
# rightly none of the two in Werkzeug and WebOb.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check python-mimeparse==2.0.0 Werkzeug==3.1.9 WebOb==1.8.11
cd "$work"
env/bin/python - <<'END' | tee seen
import importlib.metadata as packages
import mimeparse
from webob.acceptparse import create_accept_header
from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

offers = ["application/json", "text/html"]
choosers = {
    "python-mimeparse": lambda accept: mimeparse.best_match(offers, accept),
    "Werkzeug": lambda accept: parse_accept_header(accept, MIMEAccept).best_match(offers),
    "WebOb": lambda accept: next((offer for offer, _ in create_accept_header(accept).acceptable_offers(offers)), None),
}
for name in choosers: print(name, packages.version(name))
for accept in ["*/*", "text/html;q=0.5, application/json;q=0.5", "TEXT/HTML", "text/html;level=1", 'application/json;profile="a,b", text/html']:
    print(accept)
    for name, choose in choosers.items():
        try: chosen = choose(accept) or "none"
        except Exception as error: chosen = f"a {type(error).__name__}"
        print(f"    {name}: {chosen}")
END
diff - seen <<'END'
python-mimeparse 2.0.0
Werkzeug 3.1.9
WebOb 1.8.11
*/*
    python-mimeparse: text/html
    Werkzeug: application/json
    WebOb: application/json
text/html;q=0.5, application/json;q=0.5
    python-mimeparse: text/html
    Werkzeug: application/json
    WebOb: application/json
TEXT/HTML
    python-mimeparse: none
    Werkzeug: text/html
    WebOb: text/html
text/html;level=1
    python-mimeparse: text/html
    Werkzeug: none
    WebOb: none
application/json;profile="a,b", text/html
    python-mimeparse: a MimeTypeParseException
    Werkzeug: text/html
    WebOb: text/html
END
