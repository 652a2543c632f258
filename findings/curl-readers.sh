#!/usr/bin/env bash
# Nine commands for curl, and the requests that four converters make of them. What a converter doesn't know it mostly doesn't refuse: scrapy and curl_parsers lose -G, and so POST what
# should be asked for, take the argument of --json, -A or (scrapy) -F for the URL, and make a GET of -I; curl_parsers sees no -XPUT that is written in one word. Of two -d, which curl
# joins by &, uncurl and curlparser keep the last. -b, curl's cookie, is short for --data-binary to uncurl, so that the cookie becomes the body of a POST. A text in bash's
# $'…', which is what browsers copy where there is an escape, keeps its dollar in three. SystemExit: a message of usage, from a library.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: curl_parsers==0.2.1 curlparser==0.1.0 scrapy==2.19.0 uncurl==0.0.11
cd "$work"
env/bin/python - <<'END' | tee seen
import contextlib, curl_parsers, curlparser, importlib.metadata as packages, io, scrapy.utils.curl, uncurl

def with_curl_parsers(command):
    read = curl_parsers.parse_curl(command)
    return read["method"], read["url"], read["raw_data"] or "&".join(f"{name}={value}" for name, value in (read["form_data"] | read["form_fields"]).items())

def with_curlparser(command):
    read = curlparser.parse(command)
    return read.method, read.url, read.data

def with_scrapy(command):
    read = scrapy.utils.curl.curl_to_request_kwargs(command, ignore_unknown_options=True)
    return read["method"], read["url"], read.get("body")

def with_uncurl(command):
    read = uncurl.parse_context(command)
    return read.method.upper(), read.url, read.data

readers = {"curl_parsers": with_curl_parsers, "curlparser": with_curlparser, "scrapy": with_scrapy, "uncurl": with_uncurl}
for name in ["curl_parsers", "curlparser", "Scrapy", "uncurl"]: print(name, packages.version(name))
for command, meaning in [
    ("curl -d a=1 -d b=2 http://h/", "POST http://h/ with a=1&b=2"), ("curl -G -d a=1 http://h/", "GET http://h/?a=1"), ("curl -XPUT -d a=1 http://h/", "PUT http://h/ with a=1"),
    ("curl --json '{}' http://h/", "POST http://h/ with {}"), ("curl -I http://h/", "HEAD http://h/"),
    ("curl -b 'a=1' http://h/", "GET http://h/"), ("curl -F a=1 http://h/", "POST http://h/ with a=1"), ("curl -A me http://h/", "GET http://h/"),
    (r"curl $'http://h/\u0041'", "GET http://h/A"),
]:
    print(f"{command} is {meaning}")
    for name, read in readers.items():
        try:
            with contextlib.redirect_stderr(io.StringIO()): method, url, body = read(command)
            shown = f"{method} {url}" + (f" with {body}" if body else "")
            print(f"    {name}: {'right' if shown == meaning else shown}")
        except (Exception, SystemExit) as error:
            print(f"    {name}: {type(error).__name__}")
END
diff - seen <<'END'
curl_parsers 0.2.1
curlparser 0.1.0
Scrapy 2.19.0
uncurl 0.0.11
curl -d a=1 -d b=2 http://h/ is POST http://h/ with a=1&b=2
    curl_parsers: right
    curlparser: POST http://h/ with b=2
    scrapy: right
    uncurl: POST http://h/ with b=2
curl -G -d a=1 http://h/ is GET http://h/?a=1
    curl_parsers: POST http://h/ with a=1
    curlparser: SystemExit
    scrapy: POST http://h/ with a=1
    uncurl: SystemExit
curl -XPUT -d a=1 http://h/ is PUT http://h/ with a=1
    curl_parsers: POST http://h/ with a=1
    curlparser: right
    scrapy: right
    uncurl: right
curl --json '{}' http://h/ is POST http://h/ with {}
    curl_parsers: GET ://{}
    curlparser: SystemExit
    scrapy: GET http://{}
    uncurl: SystemExit
curl -I http://h/ is HEAD http://h/
    curl_parsers: GET http://h/
    curlparser: SystemExit
    scrapy: GET http://h/
    uncurl: SystemExit
curl -b 'a=1' http://h/ is GET http://h/
    curl_parsers: right
    curlparser: right
    scrapy: right
    uncurl: POST http://h/ with a=1
curl -F a=1 http://h/ is POST http://h/ with a=1
    curl_parsers: right
    curlparser: SystemExit
    scrapy: GET http://a=1
    uncurl: SystemExit
curl -A me http://h/ is GET http://h/
    curl_parsers: GET ://me
    curlparser: right
    scrapy: GET http://me
    uncurl: SystemExit
curl $'http://h/\u0041' is GET http://h/A
    curl_parsers: GET ://$http://h/\u0041
    curlparser: ValueError
    scrapy: GET http://$http://h/\u0041
    uncurl: GET $http://h/\u0041
END
