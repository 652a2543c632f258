#!/usr/bin/env bash
# Patterns that ECMA-262 and PCRE2 both take, and read in different ways; JSON Schema asks for those of ECMA-262. `$` of PCRE2 is in front of a last line break, too.
# A group that took no part is empty to a reference in JavaScript, and fails in PCRE2; what it found in an earlier round is forgotten in JavaScript alone.
# `{,2}` is text in JavaScript, and was so in PCRE2 before 10.43. White space is a matter of taste: U+FEFF, U+180E, \v.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check mini-racer==0.14.1 pcre2==0.7.1
cd "$work"
env/bin/python - <<'END' | tee seen
import importlib.metadata as packages, json, os, pcre2
from py_mini_racer import MiniRacer

javascript = MiniRacer()

def ecma(pattern, text):
    return json.loads(javascript.eval("(function () { var found = new RegExp(%s).exec(%s); return JSON.stringify(found && Array.from(found, function (group) "
                                      "{ return group === undefined ? null : group })) })()" % (json.dumps(pattern), json.dumps(text))))

def pcre(pattern, text):
    match = pcre2.compile(pattern).search(text) if hasattr(pcre2.compile(pattern), "search") else pcre2.match(pattern, text)
    return match and [match.group(0)] + [match.group(index) for index in range(1, pattern.count("(") - pattern.count("(?") + 1)]

print("mini-racer", packages.version("mini-racer"))
print("PCRE2", pcre2.__libpcre2_version__)
for pattern, text in [("a$", "a\n"), ("(?:(a)|b)*", "ab"), (r"\1(a)", "aa"), (r"(a)|b\1", "b"), ("^a{,2}$", "aa"), ("^a{,2}$", "a{,2}"),
                      (r"^\s$", "\ufeff"), (r"^\s$", "\u180e"), (r"^\v$", "\n"), (r"^\w$", "é"), (r"\h", "h"), ("[[:alpha:]]", "a"), ("^.$", "\r")]:
    print(f"{pattern} on {json.dumps(text)}: ECMA-262 {json.dumps(ecma(pattern, text))}, PCRE2 {json.dumps(pcre(pattern, text))}")
import sys
sys.stdout.flush()
os._exit(0)
END
diff - seen <<'END'
mini-racer 0.14.1
PCRE2 10.47
a$ on "a\n": ECMA-262 null, PCRE2 ["a"]
(?:(a)|b)* on "ab": ECMA-262 ["ab", null], PCRE2 ["ab", "a"]
\1(a) on "aa": ECMA-262 ["a", "a"], PCRE2 null
(a)|b\1 on "b": ECMA-262 ["b", null], PCRE2 null
^a{,2}$ on "aa": ECMA-262 null, PCRE2 ["aa"]
^a{,2}$ on "a{,2}": ECMA-262 ["a{,2}"], PCRE2 null
^\s$ on "\ufeff": ECMA-262 ["\ufeff"], PCRE2 null
^\s$ on "\u180e": ECMA-262 null, PCRE2 ["\u180e"]
^\v$ on "\n": ECMA-262 null, PCRE2 ["\n"]
^\w$ on "\u00e9": ECMA-262 null, PCRE2 ["\u00e9"]
\h on "h": ECMA-262 ["h"], PCRE2 null
[[:alpha:]] on "a": ECMA-262 null, PCRE2 ["a"]
^.$ on "\r": ECMA-262 null, PCRE2 ["\r"]
END
