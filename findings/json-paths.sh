#!/usr/bin/env bash
# RFC 9535's paths as four Python packages read them. jsonpath-python finds nothing, without an error, for a negative index, a list of names or indexes, and a filter
# without parentheses; python-jsonpath compares true as 1 with < and >; jsonpath-ng doesn't read \u in a name, and has none of the functions. The first two packages
# install one module of one name, `jsonpath`, so that the later one wins; here each has an environment of its own.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for package in jsonpath-ng==1.16.0 python-jsonpath==2.2.2 jsonpath-python==1.1.6 jsonpath-rfc9535==1.0.1; do
	python3 -m venv "${package%==*}"
	"${package%==*}/bin/pip" install --quiet --disable-pip-version-check "$package"
done
cat >paths.py <<'END'
import json, sys
package = sys.argv[1]
document = {"list": [{"n": 1}, {"n": True}, {"n": 2, "s": "b"}], "o": {"a": 1, "b": 2}, "ä": 3}
if package == "jsonpath-ng":
    from jsonpath_ng.ext import parse
    find = lambda path: [match.value for match in parse(path).find(document)]
elif package == "python-jsonpath":
    import jsonpath
    find = lambda path: jsonpath.findall(path, document)
elif package == "jsonpath-python":
    from jsonpath import JSONPath
    find = lambda path: JSONPath(path).parse(document)
else:
    import jsonpath_rfc9535
    find = lambda path: [node.value for node in jsonpath_rfc9535.find(path, document)]
for path in ["$.list[-1].n", "$.list[0,2].n", "$.o['a','b']", "$.list[?@.n<2]", "$.list[?(@.n<2)]", "$['\\u00e4']", "$.list[?length(@.s)==1].n"]:
    try: found = json.dumps(find(path))
    except Exception as error: found = f"a {type(error).__name__}"
    print(f"{package:17}{path:28}{found}")
END
for package in jsonpath-rfc9535 jsonpath-ng python-jsonpath jsonpath-python; do "$package/bin/python" paths.py "$package"; done | tee seen
diff - seen <<'END'
jsonpath-rfc9535 $.list[-1].n                [2]
jsonpath-rfc9535 $.list[0,2].n               [1, 2]
jsonpath-rfc9535 $.o['a','b']                [1, 2]
jsonpath-rfc9535 $.list[?@.n<2]              [{"n": 1}]
jsonpath-rfc9535 $.list[?(@.n<2)]            [{"n": 1}]
jsonpath-rfc9535 $['\u00e4']                 [3]
jsonpath-rfc9535 $.list[?length(@.s)==1].n   [2]
jsonpath-ng      $.list[-1].n                [2]
jsonpath-ng      $.list[0,2].n               [1, 2]
jsonpath-ng      $.o['a','b']                [1, 2]
jsonpath-ng      $.list[?@.n<2]              [{"n": 1}]
jsonpath-ng      $.list[?(@.n<2)]            [{"n": 1}]
jsonpath-ng      $['\u00e4']                 []
jsonpath-ng      $.list[?length(@.s)==1].n   a JsonPathParserError
python-jsonpath  $.list[-1].n                [2]
python-jsonpath  $.list[0,2].n               [1, 2]
python-jsonpath  $.o['a','b']                [1, 2]
python-jsonpath  $.list[?@.n<2]              [{"n": 1}, {"n": true}]
python-jsonpath  $.list[?(@.n<2)]            [{"n": 1}, {"n": true}]
python-jsonpath  $['\u00e4']                 [3]
python-jsonpath  $.list[?length(@.s)==1].n   [2]
jsonpath-python  $.list[-1].n                []
jsonpath-python  $.list[0,2].n               []
jsonpath-python  $.o['a','b']                []
jsonpath-python  $.list[?@.n<2]              []
jsonpath-python  $.list[?(@.n<2)]            [{"n": 1}, {"n": true}]
jsonpath-python  $['\u00e4']                 []
jsonpath-python  $.list[?length(@.s)==1].n   []
END
