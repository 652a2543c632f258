#!/usr/bin/env bash
# Structured fields (RFC 9651) at three readers. sfvparse refuses a member of a dictionary that has no value, as in `u=1, i`, the usual Priority (RFC 9218), and a second
# parameter of a name, which takes the place of the first (section 4.2.3.2); bytes come out as the base64 that stands there. http_sfv takes no base64 without its padding, which
# a reader should take (section 4.2.7), and nothing at all for a list, which is one without members (section 4.2). A date is one with a zone in http-sf, and one without in http_sfv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check http-sf==1.5.0 http_sfv==0.9.9 sfvparse==0.1.0
cd "$work"
env/bin/python - <<'END' | tee seen
import http_sf, http_sfv, importlib.metadata as packages, sfvparse

def plain(value):
    if isinstance(value, dict) and "value" in value: return plain(value["value"])
    if isinstance(value, tuple): return plain(value[0])
    if isinstance(value, http_sfv.Item): return plain(value.value)
    if isinstance(value, (list, http_sfv.List, http_sfv.InnerList)): return [plain(member) for member in value]
    if isinstance(value, (dict, http_sfv.Dictionary)): return {name: plain(member) for name, member in value.items()}
    if hasattr(value, "isoformat"): return value.isoformat()
    return str(value) if type(value).__name__ in ("Token", "Decimal") else value

def with_http_sfv(kind, text):
    value = {"item": http_sfv.Item, "list": http_sfv.List, "dictionary": http_sfv.Dictionary}[kind]()
    value.parse(text.encode())
    return value

readers = {
    "http-sf": lambda kind, text: http_sf.parse(text.encode(), tltype=kind), "http_sfv": with_http_sfv,
    "sfvparse": lambda kind, text: {"item": sfvparse.parse_item, "list": sfvparse.parse_list, "dictionary": sfvparse.parse_dict}[kind](text),
}
for name in readers: print(name, packages.version(name))
for kind, text in [("dictionary", "u=1, i"), ("dictionary", "a=?0, b;x=1"), ("item", ":aGVsbG8=:"), ("item", ":aGVsbG8:"), ("item", "@1659578233"),
                   ("item", '%"f%c3%bc"'), ("item", "a;x=1;x=2"), ("item", "1.50"), ("list", ""), ("dictionary", "")]:
    print(kind, text or "of nothing")
    for name, read in readers.items():
        try: print(f"    {name}: {plain(read(kind, text))!r}")
        except Exception as error: print(f"    {name}: {type(error).__name__}")
END
diff - seen <<'END'
http-sf 1.5.0
http_sfv 0.9.9
sfvparse 0.1.0
dictionary u=1, i
    http-sf: {'u': 1, 'i': True}
    http_sfv: {'u': 1, 'i': True}
    sfvparse: ValueError
dictionary a=?0, b;x=1
    http-sf: {'a': False, 'b': True}
    http_sfv: {'a': False, 'b': True}
    sfvparse: ValueError
item :aGVsbG8=:
    http-sf: b'hello'
    http_sfv: b'hello'
    sfvparse: b'aGVsbG8='
item :aGVsbG8:
    http-sf: b'hello'
    http_sfv: ValueError
    sfvparse: b'aGVsbG8'
item @1659578233
    http-sf: '2022-08-04T01:57:13+00:00'
    http_sfv: '2022-08-04T01:57:13'
    sfvparse: ValueError
item %"f%c3%bc"
    http-sf: DisplayString("fü")
    http_sfv: 'fü'
    sfvparse: ValueError
item a;x=1;x=2
    http-sf: 'a'
    http_sfv: 'a'
    sfvparse: ValueError
item 1.50
    http-sf: '1.50'
    http_sfv: '1.50'
    sfvparse: 1.5
list of nothing
    http-sf: []
    http_sfv: ValueError
    sfvparse: ValueError
dictionary of nothing
    http-sf: {}
    http_sfv: ValueError
    sfvparse: {}
END
