"""What the methods of a Locust file call. A file has of it only what its requests use: see LocustRuntime.swift.

A part begins at the margin and ends before two empty lines. VARIABLES, ENVIRONMENTS and ENVIRONMENT are the collection's.
What is imported and not used below is used by the methods.
"""

import base64
import copy
import functools
import hashlib
import hmac
import json
import os
import random
import re
import string
import subprocess
import threading
import time
import uuid
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from urllib.parse import quote, urlencode

import requests
from locust import HttpUser, constant, events, tag, task
from locust.exception import RescheduleTask
from requests.auth import HTTPDigestAuth


@events.init_command_line_parser.add_listener
def options(parser):
    parser.add_argument("--env", default=ENVIRONMENT, choices=list(ENVIRONMENTS) or None, help="The environment.")
    parser.add_argument(
        "--var",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        include_in_web_ui=False,
        help="A variable, over all others. Repeatable.",
    )


class Values:
    """The variables as one user sees them: given by --var, captured, of the environment, of the collection."""

    def __init__(self, user):
        options = user.environment.parsed_options
        given = dict(pair.split("=", 1) for pair in options.var or [])
        self.user = user
        self.captured = {}
        self.sent = {}  # by request: when it last succeeded, and its body
        self.levels = [given, self.captured, ENVIRONMENTS.get(options.env, {}), VARIABLES]

    def value(self, name):
        for level in self.levels:
            if name in level:
                value = level[name]
                return value(self) if callable(value) else value
        base, _, member = name.rpartition(".")
        if base:
            value = self.value(base)
            if isinstance(value, dict) and member in value:
                return value[member]
        raise LookupError(f"the variable {name} has no value")

    def __getitem__(self, name):
        return text(self.value(name))

    def near(self, variables):
        """The same for a request that has variables of its own, which are nearer than an environment's."""
        values = copy.copy(self)
        values.levels = self.levels[:2] + [variables] + self.levels[2:]
        return values

    def response(self, name, task, max_age, *path, jq=None):
        need(self.user, name, task, max_age, once=max_age is None)
        values = find(self.sent[name][1], *path, jq=jq)
        if not values or not exists(values[0]):
            raise LookupError(f"the response of {name} has no such value")
        return values[0]


@contextmanager
def send(user, name, method, url, max_redirects=20, **options):
    """Sends a request; the block says what its response must be, and what is kept of it."""
    user.values.sent.pop(name, None)
    user.client.cookies.clear()  # a request sends its own cookies only
    user.client.max_redirects = max_redirects
    with user.client.request(method, url, name=name, catch_response=True, **options) as response:
        reply = Reply(user, name, response)
        yield reply
        reply.conclude()


def need(user, name, task, max_age=None, once=False):
    """Sends what has to be sent before, unless its last success is young enough."""
    sent = user.values.sent.get(name)
    if sent is None or (not once and (max_age is None or time.monotonic() - sent[0] > max_age)):
        task()
        if name not in user.values.sent:
            raise RescheduleTask()


class Reply:
    """A response, with what is wrong with it. What it has of a kind is a list of values."""

    def __init__(self, user, name, response):
        self.user, self.name, self.response = user, name, response
        self.problems = []
        self.expects_error = False

    def expect(self, what, values, holds, one=False):
        if values is None:  # a filter doesn't fit the body
            met = False
        elif not values:
            met = holds(MISSING)
        else:
            met = (any if one else all)(holds(value) for value in values)
        if not met:
            self.problems.append(f"expected {what}")

    def capture(self, name, values, default=None, secret=False):
        value = values[0] if values and exists(values[0]) else default
        if value is None:
            self.problems.append(f"{name} can't be captured")
        else:
            self.user.values.captured[name] = hidden(value) if secret else value

    def conclude(self):
        error = self.response.error
        if error is not None and not self.expects_error:
            self.problems.insert(0, f"no response: {self.error[0]}, {type(error).__name__}")
        if self.problems:
            status = f", and found {self.response.status_code}" if error is None else ""
            self.response.failure(masked("; ".join(self.problems)) + status)
        else:
            self.response.success()
            self.user.values.sent[self.name] = (time.monotonic(), self.response.content or b"")

    @property
    def status(self):
        return [self.response.status_code] if self.response.status_code else None

    def header(self, name):
        raw = getattr(self.response.raw, "headers", None)
        return raw.getlist(name) if raw is not None else []

    def cookie(self, name):
        pairs = [line.split(";", 1)[0].partition("=") for line in self.header("set-cookie")]
        return [value.strip() for key, _, value in pairs if key.strip() == name]

    def find(self, *path, jq=None):
        try:
            return find(self.response.content, *path, jq=jq) if self.status else None
        except LookupError:
            return None

    @property
    def text(self):
        return [(self.response.content or b"").decode("utf-8", "replace")] if self.status else None

    @property
    def size(self):
        return [len(self.response.content or b"")] if self.status else None

    @property
    def time(self):
        return [f"{self.response.request_meta['response_time']}ms"]

    @property
    def attempts(self):
        return [len(self.response.history) + 1]

    @property
    def redirects(self):
        return [len(self.response.history)]

    @property
    def http(self):
        version = getattr(self.response.raw, "version", None)
        return [f"HTTP/{version // 10}.{version % 10}"] if version else None

    @property
    def url(self):
        return [self.response.url] if self.status else None

    @property
    def error(self):
        error, kinds = self.response.error, requests.exceptions
        if error is None:
            return []
        if isinstance(error, kinds.Timeout):
            return ["timeout"]
        if isinstance(error, kinds.SSLError):
            return ["tls"]
        if "NameResolution" in repr(error) or "getaddrinfo" in repr(error) or "Name or service" in repr(error):
            return ["dns"]
        if isinstance(error, kinds.TooManyRedirects) or "BadStatusLine" in repr(error):
            return ["protocol"]
        if isinstance(error, (kinds.ConnectionError, kinds.ChunkedEncodingError)):
            return ["connection"]
        return ["protocol" if isinstance(error, kinds.ContentDecodingError) else "other"]


def find(body, *path, jq=None):
    """The values that a path, or a program of jq, finds in a body of JSON."""
    if jq is not None:
        own = {"PATH": os.environ.get("PATH", "")}  # a filter looks at the body alone
        done = subprocess.run(["jq", "-c", jq], input=body, env=own, capture_output=True, timeout=10)
        if done.returncode:
            raise LookupError(done.stderr.decode("utf-8", "replace"))
        return [json.loads(line) for line in done.stdout.splitlines()]
    try:
        values = [json.loads(body)]
    except ValueError as error:
        raise LookupError("the body isn't JSON") from error
    for step in path:
        values = [found for value in values for found in pick(value, step)]
    return values


def pick(value, step):
    """What one step of a path finds: a name, a number, a slice, EACH, DEEP."""
    if isinstance(step, Maybe):
        try:
            return pick(value, step.step)
        except LookupError:
            return []
    if step is DEEP:
        inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
        return [value] + [found for one in inside for found in pick(one, DEEP)]
    if step is EACH and isinstance(value, (list, dict)):
        return list(value.values()) if isinstance(value, dict) else value
    if (value is None or value is MISSING) and step is not EACH:
        return [MISSING]
    if isinstance(step, str) and isinstance(value, dict):
        return [value.get(step, MISSING)]
    if isinstance(step, slice) and isinstance(value, (list, str)):
        return [value[step]]
    if isinstance(step, int) and isinstance(value, list):
        return [value[step] if -len(value) <= step < len(value) else MISSING]
    raise LookupError("the path doesn't fit")


class Maybe:
    """A step that finds nothing where it doesn't fit."""

    def __init__(self, step):
        self.step = step


EACH = object()  # all items of a list, all values of a map


DEEP = object()  # a value, and everything in it


MISSING = object()  # where a value should be


def exists(value):
    return value is not MISSING and value is not None


def same(wanted, value, typed=False, measured=False):
    """Numbers by their value. In what has no types, such as a header, a text may be a number."""
    if isinstance(wanted, list) and isinstance(value, list):
        return len(wanted) == len(value) and all(map(lambda one, other: same(one, other, typed), wanted, value))
    if isinstance(wanted, dict) and isinstance(value, dict):
        names = wanted.keys()
        return names == value.keys() and all(same(wanted[name], value[name], typed) for name in names)
    if is_type(wanted, "number") and is_type(value, "number"):
        return wanted == value
    if isinstance(wanted, str) and is_type(value, "number"):
        return not typed and quantity(wanted) is not None and quantity(wanted)[1] == value
    if isinstance(wanted, (bool, int, float)) and isinstance(value, str):
        return not typed and text(wanted) == value
    if measured and isinstance(value, str) and quantity(wanted) is not None:
        return quantity(value) is not None and quantity(wanted)[1] == quantity(value)[1]
    return type(wanted) is type(value) and wanted == value


def same_type(wanted, value):
    kinds = ("null", "boolean", "number", "string", "array", "object")
    return any(is_type(wanted, kind) and is_type(value, kind) for kind in kinds)


def compare(value, sign, wanted, measured=False, typed=False):
    both = magnitudes(value, wanted, measured, typed)
    if both is None:
        return False
    one, other = both
    return {
        "<": one < other,
        "<=": one <= other,
        ">": one > other,
        ">=": one >= other,
        "==": one == other,
        "!=": one != other,
    }[sign]


def magnitudes(value, wanted, measured=False, typed=False):
    """What is compared. Out of JSON a text is no number; durations and sizes have no other form."""
    one, other = quantity(value), quantity(wanted)
    if one is None or other is None:
        return None
    if one[0] != other[0] and not (measured and "s" not in (one[0], other[0])):
        return None
    if typed and isinstance(value, str) and other[0] == "":
        return None
    return one[1], other[1]


def quantity(value):
    """A number, a duration (in seconds) or a number of bytes, with its unit."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return ("", value)
    match = re.fullmatch(r"\s*(-?[0-9.]+(?:[eE][-+]?[0-9]+)?) *(ms|s|m|h|d|[KMG]i?B)?\s*", value) if isinstance(value, str) else None
    if not match:
        return None
    factors = {"ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400}
    factors.update(KB=1e3, MB=1e6, GB=1e9, KiB=2**10, MiB=2**20, GiB=2**30)
    unit = match[2] or ""
    try:
        number = int(match[1]) if re.fullmatch(r"-?[0-9]+", match[1]) else float(match[1])
        return ("B" if "B" in unit else unit and "s", number * factors.get(unit, 1))
    except ValueError:
        return None


def matches(value, pattern, flags=0, typed=False):
    return is_text(value, typed) and re.search(pattern, text(value), flags) is not None


def is_text(value, typed):
    """Out of JSON only a text is one: false has no a in it."""
    return isinstance(value, str) if typed else value is not MISSING


def contains(value, part, typed=False):
    if isinstance(value, list):
        return any(same(part, item, typed) for item in value)
    if isinstance(value, dict):
        if isinstance(part, dict):
            return all(name in value and same(part[name], value[name], typed) for name in part)
        return text(part) in value
    return is_text(value, typed) and is_scalar(part) and text(part) in text(value)


def can_contain(value, part):
    """Whether not containing it means something."""
    if isinstance(value, list):
        return not value or any(same_type(part, item) for item in value)
    return isinstance(value, dict) or isinstance(value, str) and is_scalar(part)


def is_scalar(value):
    return isinstance(value, (str, int, float))


def begins(value, start, typed=False):
    return is_text(value, typed) and text(value).startswith(start)


def ends(value, end, typed=False):
    return is_text(value, typed) and text(value).endswith(end)


def length(value):
    return len(value) if isinstance(value, (str, list, dict)) else MISSING


def each(value, holds):
    return isinstance(value, list) and len(value) > 0 and all(holds(item) for item in value)


def is_type(value, name):
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return {
        "string": isinstance(value, str),
        "number": is_number,
        "integer": is_number and value == round(value),
        "boolean": isinstance(value, bool),
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
        "null": value is None,
    }[name]


def text(*values):
    """The values as they stand in a text, one after another."""
    return "".join(value if isinstance(value, str) else "" if value is None else json_text(value) for value in values)


def json_text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def bare_json(value):
    """A text that is JSON is taken for what it says."""
    try:
        json.loads(value)
        return value
    except (TypeError, ValueError):
        return json_text(value)


def missing(reason):
    raise LookupError(reason)


def either(value, fallback):
    try:
        found = value()
    except LookupError:
        found = None
    return fallback() if found is None else found


def env(name):
    if name not in os.environ:
        raise LookupError(f"the environment variable {name} isn't set on this machine")
    return os.environ[name]


def ask(message, default=None):
    """Nobody can be asked here: the answer is in the environment, `Your code?` in YOUR_CODE."""
    name = re.sub(r"\W+", "_", message).strip("_").upper()
    return env(name) if default is None else os.environ.get(name, default)


@functools.cache
def command(*words, cwd=None):
    """What a program prints; it is run once."""
    return subprocess.run(words, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout.rstrip("\r\n")


@functools.cache
def read(path):
    with open(path, "rb") as file:
        return file.read()


def read_text(path):
    return read(path).decode().removesuffix("\n").removesuffix("\r")


def hidden(value):
    """A secret: no failure shows it."""
    if text(value):
        SECRETS.add(text(value))
    return value


def masked(message):
    for secret in SECRETS:
        message = message.replace(secret, "••••••")
    return message


SECRETS = set()


def basic(user, password):
    return "Basic " + base64_text(f"{user}:{password}")


def oauth2_token(url, client, secret, in_body=False, **fields):
    """A token from the token's URL, kept until half a minute before it expires; got once for all users that wait."""
    key = (url, client, *sorted(fields.items()))
    with TOKEN_LOCK:
        if key not in TOKENS or TOKENS[key][1] < time.monotonic():
            headers = {"accept": "application/json"}
            if in_body or not secret:
                fields.update(client_id=client, **({"client_secret": secret} if secret else {}))
            else:
                headers["authorization"] = basic(quote(client, safe=""), quote(secret, safe=""))
            response = requests.post(url, data=fields, headers=headers, timeout=30)
            response.raise_for_status()
            answer = response.json()
            lifetime = float(answer.get("expires_in") or 300)
            TOKENS[key] = (hidden(answer["access_token"]), time.monotonic() + lifetime - 30)
        return TOKENS[key][0]


TOKEN_LOCK = threading.Lock()


TOKENS = {}


def base64_text(value):
    return base64.b64encode(text(value).encode()).decode()


def sha256(value, encoding="hex"):
    return digest_text(hashlib.sha256(text(value).encode()), encoding)


def hmac_text(value, key, algorithm="sha256", encoding="hex"):
    return digest_text(hmac.new(text(key).encode(), text(value).encode(), algorithm), encoding)


def digest_text(digest, encoding):
    return base64.b64encode(digest.digest()).decode() if encoding == "base64" else digest.hexdigest()


def now(format="iso8601", offset=0):
    moment = datetime.now(timezone.utc) + timedelta(seconds=offset)
    formats = {
        "iso8601": "%Y-%m-%dT%H:%M:%SZ",
        "iso8601-ms": "%Y-%m-%dT%H:%M:%S.%LZ",
        "http": "%a, %d %b %Y %H:%M:%S GMT",
        "date": "%Y-%m-%d",
        "time": "%H:%M:%S",
    }
    return moment.strftime(formats.get(format, format).replace("%L", f"{moment.microsecond // 1000:03}"))


def timestamp(unit="s", offset=0):
    return int((time.time() + offset) * {"s": 1, "ms": 1e3, "us": 1e6}[unit])


def seconds(value):
    return quantity(text(value).lstrip("+-"))[1] * (-1 if text(value).startswith("-") else 1)


def random_text(length):
    return "".join(random.choices(string.ascii_letters + string.digits, k=int(length)))
