#!/usr/bin/env bash
# A download's name by Content-Disposition (RFC 6266) as aiohttp, Werkzeug and Python's email package read it. Section 4.3 prefers `filename*` in either order: aiohttp does;
# Werkzeug takes what comes last; email with its old policy always takes the plain name, and with its default policy what comes first, and decodes a plain name by
# RFC 2047, which section 5 has no place for. Werkzeug sees no name where blanks stand around the `=`, which the grammar allows.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check aiohttp==3.14.5 Werkzeug==3.1.9
cd "$work"
env/bin/python - <<'END' | tee seen
import email, email.policy, importlib.metadata as packages
from aiohttp.multipart import content_disposition_filename, parse_content_disposition
from werkzeug.http import parse_options_header

def message(value, policy):
    return email.message_from_string(f"Content-Disposition: {value}\n\n", policy=policy).get_filename()

readers = {
    "aiohttp": lambda value: content_disposition_filename(parse_content_disposition(value)[1]),
    "Werkzeug": lambda value: parse_options_header(value)[1].get("filename"),
    "email, compat32": lambda value: message(value, email.policy.compat32),
    "email, default": lambda value: message(value, email.policy.default),
}
for name in ["aiohttp", "Werkzeug"]: print(name, packages.version(name))
for value in [
    "attachment; filename=\"plain.txt\"; filename*=UTF-8''na%C3%AFve.txt",
    "attachment; filename*=UTF-8''na%C3%AFve.txt; filename=\"plain.txt\"",
    "attachment; filename=\"=?UTF-8?B?4oKs?=.txt\"",
    "attachment; filename = \"a.txt\"",
]:
    print(value)
    for name, read in readers.items(): print(f"    {name}: {read(value)}")
END
diff - seen <<'END'
aiohttp 3.14.5
Werkzeug 3.1.9
attachment; filename="plain.txt"; filename*=UTF-8''na%C3%AFve.txt
    aiohttp: naïve.txt
    Werkzeug: naïve.txt
    email, compat32: plain.txt
    email, default: plain.txt
attachment; filename*=UTF-8''na%C3%AFve.txt; filename="plain.txt"
    aiohttp: naïve.txt
    Werkzeug: plain.txt
    email, compat32: plain.txt
    email, default: naïve.txt
attachment; filename="=?UTF-8?B?4oKs?=.txt"
    aiohttp: =?UTF-8?B?4oKs?=.txt
    Werkzeug: =?UTF-8?B?4oKs?=.txt
    email, compat32: =?UTF-8?B?4oKs?=.txt
    email, default: €.txt
attachment; filename = "a.txt"
    aiohttp: a.txt
    Werkzeug: None
    email, compat32: a.txt
    email, default: a.txt
END
