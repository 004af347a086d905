"""A player of cassettes, of both pages of the format.

`python3 player.py CASE...` prints a line of JSON for each case. It reads a file (`read`), counts
the canonical form of requests (`Form`), finds what answers (`Test`), and prints it.
"""

import base64
import binascii
import dataclasses
import decimal
import gzip
import hashlib
import ipaddress
import json
import re
import struct
import sys
import uuid
import zlib
from collections import namedtuple
from pathlib import Path
from urllib.parse import quote, unquote, unquote_plus

TABLES = json.loads(Path(__file__).with_name("tables.json").read_text("utf-8"))
REASONS = ["json", "version", "unsupported", "field", "ids", "reference", "body", "file"]
METHODS = {"POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "GET", "SEND", "CALL"}
MARKER = re.compile(r"\$+(?:join|like|without|items|of|each|file)?")
LOOKS_LIKE_PLACEHOLDER = r"<REDACTED:(?=(?P<escapes>=*)[^=<>][^<>]*>)"
BODIES = ["body", "text", "base64", "file", "form", "lines", "frames", "events"]
LARGEST, MOST_LEVELS, MOST_CHARACTERS = 32 * 2**20, 1000, 2**29

Each = namedtuple("Each", "values")  # What `$each` stands for
Content = namedtuple(
    "Content", "kind value"
)  # A body: `json`, `text`, `lines`, `frames`, `form` or `bytes`
Request = namedtuple("Request", "method url headers content after")


MARK = f"\ue000{uuid.uuid4()}"  # begins the text of a number while JSON is written


@dataclasses.dataclass(frozen=True)
class Number:
    """A number keeps its spelling."""

    spelled: str


class Refused(Exception):
    """Its argument is the reason."""


def expression(source, flags=""):
    """An expression of ECMAScript: `\\d`, `\\w`, `\\b` are ASCII, `\\s` is not, `$` is the end."""
    spaces = "\\t\\n\\v\\f\\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
    parts, in_class = [], False
    for part in re.findall(r"\\.|\(\?<(?=[A-Za-z])|[\s\S]", source):
        if part == r"\s":
            part = spaces if in_class else f"[{spaces}]"
        elif part == r"\S" and not in_class:
            part = f"[^{spaces}]"
        elif part == "(?<":
            part = "(?P<"
        elif part == "$" and not in_class:
            part = r"\Z"
        elif part == "[" and in_class:
            part = r"\["
        in_class = part == "[" or in_class and part != "]"
        parts.append(part)
    return re.compile("".join(parts), re.ASCII | (re.IGNORECASE if "i" in flags else 0))


# JSON


def parse(text):
    """JSON with no key twice in an object and at most 1,000 levels, or a ValueError."""

    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)

    numbers = {"parse_float": Number, "parse_int": Number, "parse_constant": int}
    value = json.loads(text, object_pairs_hook=once, **numbers)
    if levels(value) > 1001:
        raise ValueError("too many levels")
    return value


def parts_of(value):
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else []


def levels(value):
    return isinstance(value, (dict, list)) and 1 + max(map(levels, parts_of(value)), default=0)


def parse_tree(text):
    """The object or list that a text is as JSON, or None."""
    try:
        return parse(text) if re.match(r"[ \t\r\n]*[\[{]", text) else None
    except (ValueError, RecursionError):
        return None


def utf16(text):
    return text.encode("utf-16-be", "surrogatepass")


def write(value, layout={}):
    """JSON as JSON.stringify writes it, or in a layout."""
    indent = int(layout["indent"].spelled) if "indent" in layout else None
    between = ", " if "spaced" in layout else ",", ": " if {"spaced", "indent"} & {*layout} else ":"
    spelled = lambda number: MARK + number.spelled
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=between, default=spelled)
    escaped = "[\x80-\U0010ffff]" if "ascii" in layout else "[\ud800-\udfff]"
    text = re.sub(f'"{MARK}([^"]*)"', r"\1", text)
    return re.sub(escaped, lambda at: re.sub("....", r"\\u\g<0>", utf16(at[0]).hex()), text)


# The members of a file

S = r'"(?:[^"\\]|\\.)*"'  # The JSON of a string; `T` is that of a text, perhaps a list of strings
T = rf"(?:{S}|\[(?:{S},?)*\])"
TIME = r'"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"'
# Of each kind of object: the JSON of a member matches an expression, or is of a kind (`*`: a list)
MEMBERS = rf"""
file $schema?={S} version={S} conversation_id={T} params?=\{{.* proposed_params?=\{{.*
    invalid?=invalid exchanges=*exchange timestamp={TIME} oldest_answer?={TIME} rules?=\[.*
    hashes?=\[({S},?)*\] seal?={S}
invalid reason={T} since={TIME}
exchange id?="[\w-]+" sample?=([2-9]|[1-9]\d+) part?={S} prompt=prompt request?=request
    response=response
prompt text={T} metadata?=\{{.* hash?={S}
request method={S} url=["{{].* headers?=\{{({S}:{T},?)*\}} after?={S} body?=[\[{{].* text?={T}
    base64?={T} file?={S} form?=*part lines?=\[.* frames?=\[.* layout?=layout as_sent?={S}
    eol?="(\\r)?\\n" imported?=imported
part name=.* filename?=.* type?=.* headers?=\{{({S}:{S},?)*\}} text?=.* base64?={T} file?={S}
imported from={S} unknown?=\[({S},?)*\] respelled?=true redacted?=\[({S},?)*\]
response text?={T} reasoning?={T} tool_calls?=*call finish_reasons?=\[({S},?)*\] usage?=usage
    error?={T} status?=[45]\d\d incomplete?=true kept?=true mocked?=true duration_ms?=\d+ sent?=sent
call tool_name={S} parameters?=.* result?=.*
usage input_tokens?=\d+ output_tokens?=\d+ cache_read_input_tokens?=\d+
    cache_creation_input_tokens?=\d+ reasoning_output_tokens?=\d+
sent status=[2-5]\d\d headers=\{{({S}:{T},?)*\}} renewed?=\[.* body?=.* text?={T} base64?={T}
    file?={S} events?=\[.* lines?=\[.* frames?=\[.* layout?=layout named?=true eol?="(\\r)?\\n"
    cut?=true aborted?=("before-headers"|\d+)
layout indent?=[1-8] spaced?=true ascii?=true end?="(\x20|\\[rnt])*"
"""
KINDS = {line.split()[0]: line.split()[1:] for line in re.split(r"\n(?=\w)", MEMBERS.strip())}
KINDS = {kind: dict(part.split("=", 1) for part in parts) for kind, parts in KINDS.items()}


def check(value, kind, found):
    """Adds to `found` the reasons for which a value is not of a kind."""
    if kind[0] == "*" and isinstance(value, list):
        [check(item, kind[1:], found) for item in value]
    elif kind in KINDS and isinstance(value, dict):
        members = {name.rstrip("?"): of for name, of in KINDS[kind].items()}
        found |= {"unsupported" for name in value if name not in members}
        found |= {"field" for name in KINDS[kind] if name[-1] != "?" and name not in value}
        [check(value[name], members[name], found) for name in value if name in members]
    elif kind[0] == "*" or not re.fullmatch(kind, write(value), re.ASCII):
        found.add("field")


def marked(value):
    """The keys of each object with a marker."""
    names = "[$](join|like|without|items|of|each|file)?"
    if isinstance(value, dict) and any(re.fullmatch(names, key) for key in value):
        yield {*value}
    for part in parts_of(value):
        yield from marked(part)


def has_known_parts(exchange):
    """Whether the player knows the method and the markers of an exchange."""
    request, sent = exchange.get("request", {}), exchange["response"].get("sent", {})
    files, body = [{"$file"}, {"$file", "before"}], request.get("body")
    like = [{*body}, {"$items"}, {"$items", "$of"}] if "$like" in (body or ()) else []
    several = ("form", "lines", "frames", "events")
    checked = [
        (request.get("url"), []),
        (body, files + like),
        ([*map(request.get, several), sent.get("body")], files),
        ([*map(sent.get, several)], [*files, {"$each"}]),
    ]
    known = [{"$"}, {"$join"}]
    marks = [mark not in known + more for part, more in checked for mark in marked(part)]
    return request.get("method", "GET") in METHODS and not any(marks)


# References


def resolve_all(exchanges, blobs):
    """Resolves the references of a file, in its order. An exchange gets `asked` and `sent`."""
    sources, sizes, total = {}, {}, 0
    for exchange in exchanges:
        request = exchange["asked"] = dict(exchange.get("request", {}))
        sent = exchange["sent"] = dict(exchange["response"].get("sent", {}))
        own = {**sources, "prompt": exchange["prompt"]["text"]}
        try:
            if "after" in request:
                sources[request["after"] + "/"]
            for name in {"url", *BODIES} & {*request}:
                request[name] = resolve(request[name], own, blobs)
            new = {str(place): value for place, value in enumerate(sent.get("renewed", []))}
            new.update(prompt=own["prompt"], text=exchange["response"].get("text", ""))
            own.update({"/": request.get("body"), **new})
            for name in {"body", "events", "lines", "frames"} & {*sent}:
                sent[name] = resolve(sent[name], own, blobs)
            total += sum(size(of.get(name), sizes) for of in (request, sent) for name in BODIES)
            if total > MOST_CHARACTERS or not isinstance(request.get("url", ""), str):
                raise ValueError("too large, or no text")
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            raise Refused("reference")
        sources.update({f"{exchange['id']}.{name}": value for name, value in new.items()})
        sources[exchange["id"] + "/"] = request.get("body")


def source(name, sources):
    """The value at a source."""
    name = name.spelled if isinstance(name, Number) else name
    found = re.fullmatch(r"(.*(?:prompt|text))(?:\.(\d+)-(\d+))?", name, re.ASCII)
    if found:
        text = sources[found[1]]
        return "".join(part_of(text, found[2], found[3]) if found[2] else text)
    head, slash, pointer = name.partition("/")
    keys = [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/") if slash]
    return at(sources[head + slash], keys)


def at(value, keys):
    for key in keys:
        is_place = isinstance(value, list) and re.fullmatch("0|[1-9][0-9]*", str(key))
        value = value[int(key) if is_place else key]
    return value


def part_of(items, start, end):
    if not isinstance(items, list) or not 0 <= int(start) <= int(end) <= len(items):
        raise ValueError("no such part of a list")
    return items[int(start) : int(end)]


def resolve(value, sources, blobs, like=None, place=()):
    """A value with what its markers stand for."""
    if isinstance(value, list):
        items = []
        for item in value:
            if isinstance(item, dict) and "$items" in item:
                found = at(sources[item.get("$of", like) + "/"], place)
                items += part_of(found, *[end.spelled for end in item["$items"]])
            else:
                items.append(resolve(item, sources, blobs, like, (*place, len(items))))
        return items
    if not isinstance(value, dict):
        return value
    if "$" in value:
        return source(value["$"], sources)
    if "$each" in value:
        return Each(value["$each"])
    if "$file" in value:
        content = base64.b64encode(blob(value["$file"], blobs)).decode()
        return value.get("before", "") + content
    if "$join" in value:
        texts = [resolve(text, sources, blobs) for text in value["$join"]]
        text = "".join(text.spelled if isinstance(text, Number) else text for text in texts)
        return utf16(text).decode("utf-16-be", "surrogatepass")
    like = value.get("$like", like)
    members = sources[like + "/"].items() if "$like" in value else ()
    members = {key: item for key, item in members if key not in value.get("$without", [])}
    for key in [key for key in value if key not in ("$like", "$without")]:
        name = re.sub(r"^\$(?=\$+(join|like|without|items|of|each|file)?$)", "", key)
        members[name] = resolve(value[key], sources, blobs, like, (*place, name))
    return members


def blob(name, blobs):
    """The content of a file beside the cassette."""
    content = base64.b64decode(blobs.get(name, ""))
    if not re.fullmatch(r"[0-9a-f]{64}\.[a-z0-9]{2,5}", name) or name not in blobs:
        raise Refused("file")
    if hashlib.sha256(content).hexdigest() != name[:64]:
        raise Refused("file")
    return content


def size(value, known):
    """The length of a value as compact JSON. What stands in several places is measured once."""
    if not isinstance(value, (dict, list)):
        return len(value) + 2 if isinstance(value, str) else 5
    if id(value) not in known:
        keys = value if isinstance(value, dict) else []
        known[id(value)] = 2 + sum(size(part, known) + 1 for part in [*keys, *parts_of(value)])
    return known[id(value)]


# Bodies


def expand(item):
    """The items for which an item with `$each` stands."""
    lengths = set()

    def pick(value, place):
        if isinstance(value, Each):
            if not isinstance(value.values, list) or not all(
                isinstance(one, (str, Number)) for one in value.values
            ):
                raise Refused("body")
            lengths.add(len(value.values))
            return value.values[place] if place < len(value.values) else None
        if isinstance(value, dict):
            return {key: pick(part, place) for key, part in value.items()}
        return [pick(part, place) for part in value] if isinstance(value, list) else value

    first = pick(item, 0)
    if len(lengths) > 1 or 0 in lengths:
        raise Refused("body")
    return [first, *(pick(item, place) for place in range(1, *lengths))] if lengths else [first]


def encode(kind, item, how):
    """The bytes of an item of `lines`, `frames` or `events`; `how` has `layout`, `named`, `eol`."""
    layout, eol = how.get("layout", {}), how.get("eol", "\n")
    as_text = lambda data: (
        data if isinstance(data, str) else write(data, layout) + layout.get("end", "")
    )
    if kind == "lines" and isinstance(item, (str, dict)):
        text = as_text(item) + ("" if isinstance(item, str) else eol)
    elif kind == "frames" and isinstance(item, dict):
        if set(item) == {"bytes"}:
            return base64.b64decode("".join(item["bytes"]))
        data, headers = item.get("data", {} if "chunk" in item else ""), item.get("headers")
        if "chunk" in item:
            data = {"bytes": base64.b64encode(as_text(item["chunk"]).encode()).decode(), **data}
        if headers is None:
            headers = headers_of_event(item["event"])
        return frame(headers, as_text(data).encode())
    elif kind == "events":
        name = item.get("type") if isinstance(item, dict) and "named" in how else None
        is_list = isinstance(item, list) and 1 <= len(item) <= 2 and isinstance(item[0], str)
        if is_list and len(item) == 1:
            return item[0].encode("utf-8", "surrogatepass")
        name, item = item if is_list else (name, item)
        if not isinstance(item, (str, dict)):
            raise Refused("body")
        text = f"event: {name}{eol}" * isinstance(name, str) + f"data: {as_text(item)}{eol}{eol}"
    else:
        raise Refused("body")
    return text.encode("utf-8", "surrogatepass")


def headers_of_event(name):
    return {":event-type": name, ":content-type": "application/json", ":message-type": "event"}


def frame(headers, payload):
    """A frame of Amazon's event stream."""
    lines = b""
    for name, value in headers.items():
        name, value = name.encode(), value.encode()
        lines += struct.pack(">B", len(name)) + name + struct.pack(">BH", 7, len(value)) + value
    message = struct.pack(">II", 16 + len(lines) + len(payload), len(lines))
    message += struct.pack(">I", binascii.crc32(message)) + lines + payload
    return message + struct.pack(">I", binascii.crc32(message))


def frames_in(data):
    """The frames of which a body consists, or None."""
    frames = []
    while data:
        length, head = struct.unpack(">II", data[:8]) if len(data) >= 16 else (0, 0)
        message, data = data[:length], data[length:]
        check_sum = struct.pack(">I", binascii.crc32(message[:-4]))
        if not 16 + head <= length == len(message) or check_sum != message[-4:]:
            return None
        lines, payload, headers = message[12 : 12 + head], message[12 + head : -4], {}
        while lines:
            end = 1 + lines[0]
            length = int.from_bytes(lines[end + 1 : end + 3], "big")
            value, rest = lines[end + 3 : end + 3 + length], lines[end + 3 + length :]
            headers[lines[1:end].decode()], lines = value.decode("utf-8", "replace"), rest
        event = {"event": headers.get(":event-type", "")}
        event = event if headers == headers_of_event(event["event"]) else {"headers": headers}
        value = value_of(payload)
        whole = {"bytes": base64.b64encode(message).decode()}
        frames.append(whole if value is None else {**event, "data": value})
    return frames or None


def value_of(data):
    """The JSON or the text that bytes are, or None."""
    try:
        tree = parse_tree(data.decode())
    except UnicodeDecodeError:
        return None
    return data.decode() if tree is None else tree


def in_part(data):
    """The content of a part of a form."""
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def form_in(data, content_type):
    """The parts of a multipart form, or None."""
    boundary = re.search(r'^ *multipart/.*;\s*boundary=(?:"([^"]+)"|([^;\s]+))', content_type, re.I)
    between = b"\r\n--" + (boundary[1] or boundary[2]).encode() if boundary else b""
    parts = (b"\r\n" + data).split(between) if between else []
    if len(parts) < 2 or parts[0] or parts[-1].strip() != b"--":
        return None
    items = []
    for part in parts[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        lines = head.decode("utf-8", "replace").replace("\r", "")
        headers = re.findall(r"^([\w-]+):[ \t]*(.*?)[ \t]*$", lines, re.M)
        headers = {name.lower(): value for name, value in headers}
        disposition = headers.pop("content-disposition", "")
        item = dict(re.findall(r'[; ](name|filename)="((?:[^"\\]|\\.)*)"', disposition))
        if "content-type" in headers:
            item["type"] = headers.pop("content-type")
        if headers.get("content-transfer-encoding", "").lower() in ("7bit", "8bit", "binary"):
            del headers["content-transfer-encoding"]
        headers = {name: headers[name] for name in headers if name.startswith("content-")}
        items.append({**item, **({"headers": headers} if headers else {}), **in_part(content)})
    return items


def content_of(data, content_type=""):
    """What a body is."""
    parts = form_in(data, content_type)
    if parts is not None:
        return Content("form", parts)
    if not data:
        return None
    frames = frames_in(data)
    if frames:
        return Content("frames", frames)
    value = value_of(data)
    if value is None:
        return Content("bytes", [hash_of(data)])
    if not isinstance(value, str):
        return Content("json", value)
    lines = [parse_tree(line) for line in value[: -1 if value.endswith("\n") else None].split("\n")]
    if len(lines) > 1 and all(isinstance(line, dict) for line in lines):
        return Content("lines", lines)
    return Content("text", value)


def stored_content(request, blobs):
    """What the body of a stored request is, with its references resolved."""
    if "body" in request:
        return Content("json", request["body"])
    if "text" in request:
        text = "".join(request["text"])
        tree = parse_tree(text)
        return Content("text", text) if tree is None else Content("json", tree)
    if "form" in request:
        parts = []
        for part in request["form"]:
            data = "".join(part.get("text", "")).encode()
            if "text" not in part:
                data = bytes_of(part, blobs)
            others = {name: part[name] for name in part if name not in ("text", "base64", "file")}
            parts.append({**others, **in_part(data)})
        return Content("form", parts)
    for kind in {"lines", "frames"} & set(request):
        return content_of(b"".join(encode(kind, item, request) for item in request[kind]))
    has_bytes = {"base64", "file"} & set(request)
    return Content("bytes", [hash_of(bytes_of(request, blobs))]) if has_bytes else None


def bytes_of(holder, blobs):
    """The bytes of `base64` or `file`."""
    if "base64" in holder:
        return base64.b64decode("".join(holder["base64"]))
    return blob(holder["file"], blobs)


def decoded(data, headers):
    """A body without its `content-encoding`."""
    for coding in reversed(re.findall(r"[^,\s]+", headers.get("content-encoding", "").lower())):
        if coding not in ("gzip", "x-gzip", "deflate", "identity"):
            raise Refused("unsupported")
        try:
            if coding == "deflate":
                data = zlib.decompress(data, 15 if data[:1] == b"\x78" else -15)
            elif coding != "identity":
                data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            raise Refused("unsupported")
    return data


def hash_of(data):
    data = data.encode() if isinstance(data, str) else data
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


# The address and the headers


def words_of(name):
    words = re.sub("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name).lower()
    return re.sub("[^a-z]+", " ", words).strip()


def split_url(url):
    """The scheme, host, path and query of a URL, by the URL standard."""
    url = re.sub("[\t\r\n]", "", url.strip("".join(map(chr, range(33))))).partition("#")[0]
    found = re.fullmatch(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", url, re.DOTALL)
    if not found:
        raise Refused("unsupported")
    scheme, rest = found[1].lower(), found[2]
    is_special = scheme in ("http", "https", "ws", "wss", "ftp")
    rest, mark, query = rest.partition("?")
    if is_special:
        rest = "//" + rest.replace("\\", "/").lstrip("/")
    if not rest.startswith("//"):
        return scheme, "", quote(rest, safe="".join(map(chr, range(32, 127)))), query
    authority, slash, path = rest[2:].partition("/")
    host = re.sub(r":\d*$", "", authority.rpartition("@")[2])
    segments, kept = path.split("/"), []
    for place, segment in enumerate(segments):
        dots = segment.lower().replace("%2e", ".")
        if dots == "..":
            kept = kept[:-1]
        if dots not in (".", ".."):
            kept.append(segment)
        elif place == len(segments) - 1:
            kept.append("")
    path = "/" + "/".join(kept) if slash or is_special else ""
    host = host_of(host) if is_special else host
    return scheme, host, quote(path, safe="!$%&'()*+,/:;=@[\\]^|"), query


def host_of(host):
    """A host as the URL standard writes it; all of this machine are `localhost`."""
    try:
        host = unquote(host).lower()
        host = host if host.isascii() else host.encode("idna").decode()
        if host.startswith("["):
            host = f"[{ipaddress.IPv6Address(host[1:-1]).compressed}]"
        elif re.search(r"(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$", host):
            base = lambda part: 16 if part[:2] == "0x" else 8 if part[:1] == "0" else 10
            parts = host.rstrip(".").split(".")
            *numbers, last = [int(part, base(part)) if part != "0x" else 0 for part in parts]
            last += sum(number << 24 - 8 * place for place, number in enumerate(numbers))
            host = str(ipaddress.IPv4Address(last))
    except ValueError:
        raise Refused("unsupported")
    return "localhost" if re.fullmatch(r"127(\.\d+){3}|0\.0\.0\.0|\[::1?\]", host) else host


def endpoint_of(host):
    host, names = host.lower(), TABLES["endpoints"]
    found = [one["endpoint"] for one in names["patterns"] if expression(one["hosts"]).search(host)]
    return names["hosts"].get(host, *found[:1] or [host])


def parameters_of(query):
    """The names and values of a query; a byte that is no UTF-8 is U+DC00 plus the byte."""
    pairs = [parameter.partition("=")[::2] for parameter in query.split("&") if parameter]
    return [tuple(unquote_plus(part, errors="surrogateescape") for part in pair) for pair in pairs]


def is_credential_parameter(name, value, host):
    query, words = TABLES["query"], words_of(name)
    if words == "code" and not host.endswith(".azurewebsites.net"):
        return len(value) >= 20 and not re.search(r"\s", value)
    is_signed = expression(**query["signed"]).search(name)
    return bool(is_signed or expression(**query["credential"]).search(words))


def headers_that_count(headers, url):
    """Those that count, after what is done to them; `headers` have names in lower case."""
    counting = {name: value for name, value in headers.items() if COUNTING.search(name)}
    scheme, host = split_url(url)[:2]
    if scheme in ("ws", "wss"):
        counting.setdefault("sec-websocket-protocol", "")
    found = {}
    for name, value in counting.items():
        reading = next((reading for names, reading in READINGS if names.search(name)), "text")
        items = [item.strip() for item in value.split(",")]
        if reading == "types":
            value = ", ".join(sorted(filter(None, map(media_type, items))))
        elif reading == "set":
            value = ", ".join(sorted({*items} - {""}))
        elif reading == "address" and re.match(r"[a-z][a-z0-9+.-]*://", value, re.I):
            value = endpoint_of(split_url(value)[1]) + split_url(value)[2]
        elif reading == "host":
            value = endpoint_of(host_of(re.sub(r":\d+$", "", value)))
            value = "" if value == endpoint_of(host) else value
        elif reading == "protocols":
            value = ", ".join(item for item in items if "<REDACTED:" not in item)
        elif reading == "digest" and value and not re.fullmatch("digest [0-9a-f]{12}", value):
            value = "digest " + hashlib.sha256(value.encode()).hexdigest()[:12]
        if value or reading == "protocols":
            found[name] = value
    return found


COUNTING = expression(TABLES["headers"]["counting"])
READINGS = [(expression(names), reading) for names, reading in TABLES["headers"]["readings"]]
LEFT_OUT = re.compile(
    r"\*/\*|multipart/.*|text/event-stream|text/plain|text/json|application/(?:json|.*\+json"
    r"|octet-stream|x-www-form-urlencoded|(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines))"
)


def media_type(text):
    """A media type that counts, or an empty text."""
    name, *parameters = [part.strip() for part in text.lower().split(";")]
    kept = [part for part in parameters if not re.match(r"(?:q|charset|boundary)\s*=|$", part)]
    return "" if LEFT_OUT.fullmatch(name) else "; ".join([name, *kept])


# Texts: what is found in them, and what is put there


def edits_of(text, find):
    """What `find` finds in a text, as `(start, end, new)`; in JSON its strings and numbers."""
    if parse_tree(text) is None:
        return find(text)
    edits = []
    for token in re.finditer(rf"{S}|-?\d[\d.eE+-]*", text):
        inner = json.loads(token[0]) if token[0][0] == '"' else Number(token[0])
        new = change(inner, find)
        if new == inner:
            continue
        if isinstance(inner, str) and isinstance(new, str) and len(inner) == len(token[0]) - 2:
            start = token.start() + 1
            for at, end, part in edits_of(inner, find):
                edits.append((start + at, start + end, write(part)[1:-1]))
        else:
            edits.append((*token.span(), write(new)))
    return edits


def change(value, find, in_pieces=False):
    """A value with all its texts changed, but for strings of objects if they stream in pieces."""
    if isinstance(value, dict):
        changed_parts = {}
        for key, part in value.items():
            is_piece = in_pieces and isinstance(part, str)
            key = edited_text(key, [edit for edit in find(key) if isinstance(edit[2], str)])
            changed_parts[key] = part if is_piece else change(part, find, in_pieces)
        return changed_parts
    if isinstance(value, list):
        return [change(part, find, in_pieces) for part in value]
    if isinstance(value, Number):
        edits = find(value.spelled)
        text = edited_text(value.spelled, edits)
        if len(edits) == 1 and edits[0][:2] == (0, len(value.spelled)) and text.startswith("{{"):
            return text[:-2] + ":number}}"
        is_number = re.fullmatch(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", text, re.A)
        return Number(text) if is_number else text
    return edited_text(value, edits_of(value, find)) if isinstance(value, str) else value


def edited_text(text, edits):
    if [edit[:2] for edit in edits] == [(0, len(text))]:
        return edits[0][2]
    for start, end, new in sorted(edits, key=lambda edit: edit[0], reverse=True):
        text = text[:start] + (new.spelled if isinstance(new, Number) else new) + text[end:]
    return text


def finder(expressions):
    """Finds `(expression, new)` in a text, the first and longest; `new` is told what matched."""

    def find(text):
        edits, place = [], 0
        while True:
            found = [(what.search(text, place), new) for what, new in expressions]
            found = [(at, new) for at, new in found if at and at.end() > at.start()]
            if not found:
                return edits
            at, new = min(found, key=lambda pair: (pair[0].start(), -pair[0].end()))
            edits.append((*at.span(), new(at)))
            place = at.end()

    return find


def whole_word(value):
    before = r"(?<![^\W_])" + (r"(?<!\d[.,])" if value[:1].isdigit() else "")
    after = r"(?![^\W_])" + (r"(?![.,]\d)" if value[-1:].isdigit() else "")
    return re.compile(before + re.escape(value) + after)


def longest_first(values):
    return sorted(values, key=lambda pair: -len(pair[0]))


def change_items(kind, items, find):
    """Changes the texts of items; a string that streams in pieces over them is one text."""
    pieces, index = TABLES["streams"]["pieces"], expression(TABLES["streams"]["numbers"])
    groups = {}

    def collect(value, key):
        if isinstance(value, dict):
            numbers = [(name, part) for name, part in value.items() if index.search(name)]
            numbers = [pair for pair in numbers if isinstance(pair[1], Number)]
            for name, part in value.items():
                if isinstance(part, str):
                    groups.setdefault((*key, *numbers, name), []).append((value, name))
                collect(part, (*key, *numbers, name))
        for part in value if isinstance(value, list) else []:
            collect(part, key)

    for place, item in enumerate(items):
        holder, names, name = items, [place], None
        if kind == "frames" and isinstance(item, dict):
            holder, names, name = item, {"data", "chunk"} & {*item}, item.get("event")
        elif isinstance(item, list) and item:
            holder, names, name = item, [len(item) - 1], item[0] if len(item) > 1 else None
        for part in names:
            holder[part] = change(holder[part], find, in_pieces=True)
            of = holder[part].get("type") if isinstance(holder[part], dict) else None
            collect(holder[part], (name, of if isinstance(of, str) else None))
    for group in groups.values():
        texts = [holder[name] for holder, name in group]
        ends = [sum(map(len, texts[: place + 1])) for place in range(len(texts))]
        edits = sorted(edits_of("".join(texts), find), key=lambda edit: edit[0])
        own = [[] if group[0][1] in pieces else edits_of(text, find) for text in texts]
        for text, end, found in zip(texts, ends, own):
            start = end - len(text)
            edits = [edit for edit in edits if not found or edit[1] <= start or edit[0] >= end]
        for (holder, name), text, end, found in zip(group, texts, ends, own):
            cut_text = cut("".join(texts), edits, end - len(text), end)
            holder[name] = edited_text(text, found) if found else cut_text


def cut(text, edits, start, end):
    """A part of an edited text. What is new stands where what it replaces begins."""
    new, at = "", start
    for first, last, put in edits:
        if first < end and last > start:
            put = put if isinstance(put, str) else put.spelled
            new += text[at:first] + put * (first >= start)
            at = max(at, min(last, end))
    return new + text[at:end]


# Placeholders and parameters


def is_credential_name(name):
    words, names = words_of(name), TABLES["secrets"]
    is_other = expression(names["but"]).search(words)
    return bool(expression(names["names"]).search(words)) and not is_other


def is_credential(value):
    mixed = len(value) >= 8 and re.search("[A-Za-z]", value) and re.search("[0-9]", value)
    plain = r"[+-]?[\d.]+(?:e[+-]?\d+)?|true|(?:[a-z][a-z0-9+.-]*:/|[a-z]:\\|\.{0,2}/|~).*"
    return bool(len(value) >= 16 or mixed) and not re.fullmatch(plain, value, re.I | re.DOTALL)


def redacted(request, env, headers):
    """A request with placeholders for the credentials that the environment and the request have."""
    found = [(env[name], name) for name in env if is_credential_name(name)]
    scheme, host, path, query = split_url(request.url)
    sent_with = [pair for pair in headers.items() if is_credential_name(pair[0])]
    sent_with += [pair for pair in parameters_of(query) if is_credential_parameter(*pair, host)]
    for name, value in sent_with:
        value = re.sub(r"^\S+ +", "", value) if name == "authorization" else value
        found.append((value, name.lower()))
    names = {value: name for value, name in reversed(found) if is_credential(value)}
    new = lambda at: f"<REDACTED:{names[at[0]]}>"
    values = [(re.compile(re.escape(value)), new) for value in names]
    looks_like_one = re.compile("<REDACTED:(?==*[^=<>][^<>]*>)")
    found = changed(request, finder([(looks_like_one, lambda at: "<REDACTED:="), *values]))
    kind, value = found.content or (None, None)
    if kind == "text" and "grant_type=" in value and "model=" not in value:
        fields = "|".join(TABLES["redacted"]["oauth"])
        value = re.sub(rf"(^|&)({fields})=[^&]+", r"\1\2=<REDACTED:\2>", value)
        return found._replace(content=Content(kind, value))
    return found._replace(content=found.content and Content(kind, with_hidden_places(value)))


def with_hidden_places(body):
    """A body without the credentials of servers of tools, and of OAuth's token requests."""
    places = TABLES["redacted"]["tool_servers"]
    hidden = lambda values, names: {
        name: f"<REDACTED:{name.lower()}>" if name in names and isinstance(value, str) else value
        for name, value in values.items()
    }
    if not isinstance(body, dict):
        return body
    if "grant_type" in body and "model" not in body:
        return hidden(body, TABLES["redacted"]["oauth"])
    for name in [name for name in ("tools", "mcp_servers") if isinstance(body.get(name), list)]:
        for place, item in enumerate(body[name]):
            is_server = (
                name == "mcp_servers"
                or isinstance(item, dict)
                and item.get("type") in places["types"]
            )
            if isinstance(item, dict) and is_server:
                item = body[name][place] = hidden(item, places["fields"])
                if isinstance(item.get("headers"), dict):
                    item["headers"] = hidden(item["headers"], item["headers"])
    return body


def with_parameters(request, params):
    """A request with `{{name}}` for the values of parameters."""
    names = "|".join(map(re.escape, params)) or "(?!)"
    escaped = re.compile(rf"\{{\{{(?==*(?:{names})(?::number)?\}}\}})")
    pairs = longest_first((value, name) for name, value in params.items() if value)
    new = lambda name: lambda at: f"{{{{{name}}}}}"
    words = [(whole_word(value), new(name)) for value, name in pairs]
    return changed(request, finder([(escaped, lambda at: "{{="), *words]))


def changed(request, find):
    """A request with all its texts changed."""
    text = lambda value: edited_text(value, find(value))
    headers = {name: text(value) for name, value in request.headers.items()}
    kind, value = request.content or (None, None)
    content = request.content and Content(kind, change(value, find))
    return request._replace(url=text(request.url), headers=headers, content=content)


def filled(sent, params, pairs):
    """What is sent, with the values of this run."""
    names = "|".join(map(re.escape, params)) or "(?!)"

    def value_of_run(at):
        if at[1]:
            return at[0].replace("=", "", 1)
        number = at[3] and at.span() == (0, len(at.string))
        return Number(params[at[2]]) if number else at[0] if at[3] else params[at[2]]

    expressions = [
        (re.compile("<REDACTED:=(?==*[^=<>][^<>]*>)"), lambda at: "<REDACTED:"),
        (re.compile(rf"\{{\{{(=*)({names})(:number)?\}}\}}"), value_of_run),
    ]
    new = lambda value: lambda at: value
    expressions += [(whole_word(old), new(value)) for old, value in longest_first(pairs.items())]
    find, sent = finder(expressions), dict(sent)
    for kind in {"body", "text"} & set(sent):
        sent[kind] = change(sent[kind] if kind == "body" else "".join(sent[kind]), find)
    for kind in {"events", "lines", "frames"} & set(sent):
        sent[kind] = [event for item in sent[kind] for event in expand(item)]
        change_items(kind, sent[kind], find)
    return sent


def chunks_of(sent, blobs):
    """The bytes that are sent, in their chunks."""
    for kind in {"events", "lines", "frames"} & set(sent):
        return [encode(kind, item, sent) for item in sent[kind]]
    if "body" in sent:
        layout = sent.get("layout", {})
        return [(write(sent["body"], layout) + layout.get("end", "")).encode()]
    if "text" in sent:
        return ["".join(sent["text"]).encode("utf-8", "surrogatepass")]
    return [bytes_of(sent, blobs)] if {"base64", "file"} & set(sent) else []


# The canonical form

# Where ids of tool calls are: paths, in which 0 is any item of a list, with expressions for types
PLACES = {}
for root in ["", *(root + "." for root in TABLES["call_roots"])]:
    for path, *types in TABLES["calls"]:
        keys = tuple(0 if key == "*" else key for key in (root + path).split("."))
        PLACES.setdefault(keys, []).append([expression(source) for source in types])
NOT_IN_FIELDS = expression(**TABLES["volatile"]["not_in_fields"])


def number(spelled):
    """A number as ECMAScript writes its double, or a text where that would lose digits."""
    double = float(spelled)
    text = repr(double)
    if double == 0:
        text = "0"
    elif 1e-6 <= abs(double) < 1e21:
        text = re.sub(r"\.0$", "", format(decimal.Decimal(text), "f"))
    text = re.sub(r"(?:\.0)?e([+-])0?", r"e\1", text)
    is_lost = abs(double) > 2**53 - 1 and text != spelled
    return f"\0number:{spelled.lower()}" if is_lost else Number(text)


TYPES = {str: "", dict: "object:", list: "array:", Number: "number:", bool: "boolean:"}
TYPES[type(None)] = "null:"


class Form:
    """The canonical form of a request: `tree`, `canonical`, `hash`, and the volatile `values`."""

    def __init__(self, request, rules=(), with_ids=False, ordered=True):
        self.rules, self.ordered = rules, ordered
        self.numbers, self.calls = {}, None if with_ids else {}
        found = [(rule, self.mark(name)) for name, rule in rules if not isinstance(rule, tuple)]
        self.find = finder(found)
        scheme, host, path, query = split_url(request.url)
        self.tree = {"method": request.method, "endpoint": endpoint_of(host)}
        self.tree["path"] = self.text(path)
        pairs = [pair for pair in parameters_of(query) if not is_credential_parameter(*pair, host)]
        pairs = [tuple(map(self.text, pair)) for pair in pairs]
        pairs = sorted(pairs, key=lambda pair: utf16(pair[0]))
        spelled = lambda name: name.replace("%", "%25").replace("=", "%3D")
        self.tree["query"] = [f"{spelled(name)}={value}" for name, value in pairs]
        headers = sorted(request.headers.items(), key=lambda pair: utf16(": ".join(pair)))
        self.tree["headers"] = [f"{name}: {self.text(value)}" for name, value in headers]
        self.tree["after"] = request.after
        if request.content:
            kind, value = request.content
            form = self.value(value, () if kind == "json" else None, "")
            items = form if isinstance(form, list) else [form]
            self.tree["body"] = form if kind == "json" else [kind, *items]
        is_absent = lambda key: key != "body" and self.tree[key] in (None, [])
        self.tree = {key: self.tree[key] for key in sorted(self.tree) if not is_absent(key)}
        self.canonical = write(self.tree)
        self.values = {place: value for value, place in self.numbers.items()}
        self.hash = hash_of(self.canonical)

    def mark(self, name):
        if name in TABLES["volatile"]["times"]:
            return lambda at: f"\0volatile:{name}\0"
        return lambda at: f"\0volatile:{name}:{self.number(at[0])}\0"

    def number(self, value):
        return self.numbers.setdefault(value, len(self.numbers) + 1)

    def text(self, text):
        new = edited_text(text, edits_of(text, self.find))
        return "\0" + new if text.startswith("\0") else new

    def call(self, text, path, kind):
        """The mark of an id of a tool call, or None."""
        for types in PLACES.get(path, []) if self.calls is not None else []:
            is_far = len(types) > 1 and types[1].search(kind)
            if (not types or types[0].search(kind)) and (not is_far or text in self.calls):
                return f"\0call:{self.calls.setdefault(text, len(self.calls) + 1)}"
        return None

    def value(self, value, path, kind, searched=True):
        """A part of the body, at a path if that is JSON; `kind` is the type of what holds it."""
        inner = lambda key: None if path is None else (*path, key)
        for name, rule in self.rules:
            if rule == path and path is not None:
                spelled = value if isinstance(value, str) else write(value)
                return f"\0volatile:{name}:{TYPES[type(value)]}{self.number(spelled)}"
        if isinstance(value, Number):
            edits = self.find(value.spelled) if searched else []
            text = edited_text(value.spelled, edits)
            return number(text) if text == value.spelled else text
        if isinstance(value, str):
            text = lambda: self.text(value) if searched else "\0" * value.startswith("\0") + value
            return self.call(value, path, kind) or text()
        if isinstance(value, list):
            return [self.value(part, inner(0), "", searched) for part in value]
        if not isinstance(value, dict):
            return value
        kind, form = value.get("type") if isinstance(value.get("type"), str) else "", {}
        for key in sorted(value, key=utf16):
            is_searched = searched and not NOT_IN_FIELDS.search(key)
            name = edited_text(key, edits_of(key, self.find)) if searched else key
            form[name] = self.value(value[key], inner(key), kind, is_searched)
            has_order = self.ordered and key in ("properties", "parameter_definitions")
            if has_order and isinstance(value[key], dict):
                whole = lambda name: re.fullmatch("0|[1-9][0-9]*", name) and int(name) < 2**32 - 1
                names = sorted(value[key], key=lambda name: int(name) if whole(name) else 2**32)
                form[name] = [[one, form[name][one]] for one in names if one in form[name]]
        return dict(sorted(form.items(), key=lambda pair: utf16(pair[0])))


# The file


def read(text, blobs):
    """The file and its exchanges, which get `id`, `asked` (their request) and `sent`."""
    try:
        data = text.encode()
        if len(data) > LARGEST:
            raise ValueError("too large")
        file = parse(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Refused("json")
    found, exchanges = set(), file.get("exchanges") if isinstance(file, dict) else None
    exchanges = [dict(one) for one in parts_of(exchanges) if isinstance(one, dict)]
    majors = "2" if any("request" in one for one in exchanges) else "[12]"
    version = file.get("version") if isinstance(file, dict) else None
    if isinstance(version, str) and not re.fullmatch(rf"{majors}\.[0-9]+", version):
        raise Refused("version")
    check(file, "file", found)
    if (
        "<REDACTED:rule." in text
        or "field" not in found
        and not all(map(has_known_parts, exchanges))
    ):
        found.add("unsupported")
    for place, exchange in enumerate([] if found else exchanges):
        request, response = exchange.get("request", {}), exchange["response"]
        exchange.setdefault("id", f"exchange-{place + 1}")
        is_by_hand = "request" not in exchange or "sent" not in response
        has_text = {*response} & {"text", *["tool_calls", "error"] * is_by_hand}
        kinds = [{*BODIES} & {*holder} for holder in (request, response.get("sent", {}))]
        if not has_text or max(map(len, kinds)) > 1:
            found.add("field")
    if found:
        raise Refused(min(found, key=REASONS.index))
    if len({exchange["id"] for exchange in exchanges}) < len(exchanges):
        raise Refused("ids")
    resolve_all(exchanges, blobs)
    try:
        for exchange in exchanges:
            chunks_of(filled(exchange["sent"], {}, {}), blobs)
            stored_content(exchange["asked"], blobs)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise Refused("body")
    return file, exchanges


def headers_of(headers):
    """Headers by their names in lower case; several lines are one."""
    texts = lambda value: [value] if isinstance(value, str) else value
    joined = lambda value: ", ".join(text.strip(" \t") for text in texts(value))
    return {name.lower(): joined(value) for name, value in headers.items()}


def with_env(content, env):
    """A body in which a placeholder counts as its variable, where that holds no credential."""
    names = {name for name in env if not is_credential(env[name])}
    pattern = re.compile("|".join(re.escape(f"<REDACTED:{name}>") for name in names) or "(?!)")
    find = finder([(pattern, lambda at: env[at[0][10:-1]])])
    return content and Content(content.kind, change(content.value, find))


def asked(request, options, after):
    """What a client asks, as it is looked up."""
    env, params, url = options["env"], options["params"], request["url"]
    headers = headers_of(request.get("headers", {}))
    data = request.get("body", "").encode("utf-8", "surrogatepass")
    data = base64.b64decode(request["base64"]) if "base64" in request else data
    content = content_of(decoded(data, headers), headers.get("content-type", ""))
    if request["method"] not in METHODS:
        raise Refused("unsupported")
    if url.startswith("mcp:") and content and isinstance(content.value, dict):
        content = Content("json", mcp_message(content.value))
    found = Request(request["method"], url, headers, content, after)
    found = redacted(found, env, headers)
    found = found._replace(headers=headers_that_count(found.headers, found.url))
    found = with_parameters(found, params)
    return found._replace(content=with_env(found.content, env))


def mcp_message(message):
    """What counts of a message to an MCP server."""
    message = {name: value for name, value in message.items() if name not in ("id", "jsonrpc")}
    params, dropped = message.get("params"), TABLES["mcp"]["dropped"]
    if isinstance(params, dict) and message.get("method") == "initialize":
        message["params"] = {name: params[name] for name in params if name == "capabilities"}
    elif isinstance(params, dict) and isinstance(params.get("_meta"), dict):
        is_kept = lambda name: name not in dropped["_meta"] and not name.startswith(
            dropped["_meta_prefix"]
        )
        meta = {name: value for name, value in params["_meta"].items() if is_kept(name)}
        others = {name: value for name, value in params.items() if name != "_meta"}
        message["params"] = {**others, "_meta": meta} if meta else others
    return message


# A test


def rules_of(names):
    """The volatile rules of a test, as `(name, expression)` or `(name, path)`."""
    rules = []
    for name in names:
        if isinstance(name, dict):
            name = f"/{name['source']}/{name.get('flags', '')}"
        if name in TABLES["volatile"]["rules"]:
            rules.append((name, expression(**TABLES["volatile"]["rules"][name])))
        elif name.startswith("$"):
            if not re.fullmatch(r"\$(\.[^.\[\]]+|\[\*\])+", name):
                raise Refused("unsupported")
            keys = re.findall(r"\.([^.\[\]]+)|\[\*\]", name)
            rules.append((name, tuple(key or 0 for key in keys)))
        else:
            source, flags = re.fullmatch(r"/?(.*?)(?:/([a-z]*))?", name, re.DOTALL).groups("")
            rule = "re:" + hashlib.sha256(f"{source}/{flags}".encode()).hexdigest()[:12]
            rules.append((rule, expression(source, flags)))
    return rules


def matches(stored, tree, redacted):
    """Whether a form is that of a recorded request in which some texts stand for any."""
    if isinstance(stored, str) and isinstance(tree, str):
        parts = re.split("|".join(map(re.escape, redacted)) or "(?!)", stored)
        return re.fullmatch(".*".join(map(re.escape, parts)), tree, re.DOTALL) is not None
    if type(stored) is not type(tree) or len(parts_of(stored)) != len(parts_of(tree)):
        return False
    if isinstance(stored, dict):
        return all(key in tree and matches(stored[key], tree[key], redacted) for key in stored)
    if isinstance(stored, list):
        return all(matches(one, other, redacted) for one, other in zip(stored, tree))
    return stored == tree


class Test:
    """The options of a test, and what it played."""

    def __init__(self, file, exchanges, options, blobs):
        spelled = lambda value: value.spelled if isinstance(value, Number) else value
        self.options = {"env": {}, "repeats": None, "unordered": True, "volatile": [], **options}
        self.options["sample"] = int(spelled(options.get("sample", 1)))
        params = options.get("params", {})
        self.options["params"] = {name: spelled(value) for name, value in params.items()}
        self.rules = rules_of(self.options["volatile"])
        self.undeclared = set(file.get("params", {})) - set(self.options["params"])
        self.blobs, self.counts, self.pairs, self.back, self.hashes = blobs, {}, {}, {}, []
        self.all, by_id = exchanges, {exchange["id"]: exchange for exchange in exchanges}
        sample_of = lambda exchange: int(spelled(exchange.get("sample", 1)))
        for exchange in exchanges:
            request = exchange["asked"]
            if request:
                content = with_env(stored_content(request, blobs), self.options["env"])
                headers = headers_that_count(headers_of(request.get("headers", {})), request["url"])
                is_send = request["method"] == "SEND" and "after" in request
                after = by_id[request["after"]]["form"].hash if is_send else None
                found = Request(request["method"], request["url"], headers, content, after)
                ordered = "respelled" not in request.get("imported", {})
                exchange["form"] = Form(found, self.rules, ordered=ordered)
                exchange["exact"] = Form(found, self.rules, True, ordered).canonical
                is_socket = request["url"].lower().startswith(("ws:", "wss:"))
                exchange["is_poll"] = request["method"] == "GET" and not content and not is_socket
        sample = self.options["sample"]
        self.exchanges = [exchange for exchange in exchanges if sample_of(exchange) == sample]

    def is_done(self, exchange):
        """Whether it was played, or is a poll of which another answer was."""
        if not exchange.get("is_poll"):
            return exchange["id"] in self.counts
        polls = [one for one in self.exchanges if one.get("is_poll") and one["id"] in self.counts]
        return any(one["form"].hash == exchange["form"].hash for one in polls)

    def unused(self):
        unknown = lambda one: "body" in one["asked"].get("imported", {}).get("unknown", [])
        return [one["id"] for one in self.exchanges if not self.is_done(one) and not unknown(one)]

    def asked_for(self, exchange, request, form):
        """Whether the request of an exchange is that which is asked."""
        imported = exchange["asked"].get("imported")
        if imported is None or "form" not in exchange:
            return "form" in exchange and exchange["form"].hash == form.hash
        unknown = imported.get("unknown", [])
        left_out = {"host": {"endpoint"}, "path": {"path", "query"}}
        left_out = set().union(*(left_out.get(name, {name}) for name in unknown))
        tree = Form(request, self.rules, ordered="respelled" not in imported).tree
        stored = {key: value for key, value in exchange["form"].tree.items() if key not in left_out}
        tree = {key: value for key, value in tree.items() if key not in left_out}
        return "body" not in unknown and matches(stored, tree, imported.get("redacted", []))

    def new_pairs(self, exchange, form):
        """All pairs of volatile values with those of an exchange; None if they contradict."""
        recorded, found, new = exchange["form"].values, form.values, dict(self.pairs)
        for place in recorded.keys() & found.keys():
            value = self.back.get(recorded[place]) if recorded[place] == found[place] else None
            value = value or found[place]
            if new.setdefault(recorded[place], value) != value:
                return None
        return new if len(set(new.values())) == len(new) else None

    def answer(self, request):
        """The exchange that answers a request of a case, and the hash of it."""
        is_send = request["method"] == "SEND" and "after" in request
        after = self.hashes[int(request["after"].spelled)] if is_send else None
        self.hashes.append(None)
        wanted = asked(request, self.options, after)
        form = Form(wanted, self.rules)
        self.hashes[-1] = form.hash
        if self.undeclared:
            raise Refused("params")
        if not self.exchanges and self.options["sample"] > 1:
            raise Refused("sample")
        try:
            return self.find(wanted, form), form.hash
        except Refused as refused:
            if refused.args[0] == "unsupported" or not self.back:
                raise
            put = lambda value: lambda at: value
            back = [(whole_word(new), put(old)) for old, new in self.back.items()]
            wanted = changed(wanted, finder(back))
            try:
                found = self.find(wanted, Form(wanted, self.rules))
            except Refused:
                raise refused
            self.hashes[-1] = Form(wanted, self.rules).hash
            return found, form.hash

    def find(self, request, form):
        found = [one for one in self.exchanges if self.asked_for(one, request, form)]
        left = [one for one in found if one["id"] not in self.counts]
        repeats = "last" if found and found[-1]["is_poll"] else self.options["repeats"]
        if found and not left and repeats:
            least = min(self.counts[one["id"]] for one in found)
            left = [one for one in found if self.counts[one["id"]] == least][:1]
            left = found[-1:] if repeats == "last" else left
        ready = [one for one in left if self.new_pairs(one, form) is not None]
        if left and not ready:
            raise Refused("volatile")
        open_ids = [one["id"] for one in self.all if not self.is_done(one)]
        ready = [one for one in ready if one["asked"].get("after") not in open_ids]
        if self.options["unordered"] is False:
            first = [one["id"] for one in self.exchanges if not self.is_done(one)][:1]
            ready = [one for one in ready if one["id"] in first or one["id"] in self.counts]
        if left and not ready:
            raise Refused("turn")
        if not left:
            ready = self.by_hand(request, form, bool(found))
        exact = Form(request, self.rules, with_ids=True).canonical
        chosen = next((one for one in ready if one.get("exact") == exact), ready[0])
        if "form" in chosen:
            self.pairs = self.new_pairs(chosen, form)
        if "status" not in chosen["sent"]:
            check_format(form, request.content)
        self.counts[chosen["id"]] = self.counts.get(chosen["id"], 0) + 1
        return chosen

    def by_hand(self, request, form, was_played):
        """The exchanges that a person wrote for a request."""
        written = [one for one in self.exchanges if not one["asked"]]
        if written:
            check_format(form, request.content)
        meant = [one for one in written if is_meant(one, request.content.value, form)]
        ready = [one for one in meant if one["id"] not in self.counts]
        if not ready:
            raise Refused("played" if was_played or meant else "unmatched")
        return ready

    def outcome(self, request):
        """What is printed for a request."""
        try:
            exchange, hash = self.answer(request)
        except Refused as refused:
            return {"refused": refused.args[0]}
        if "status" not in exchange["sent"]:
            return {"exchange": exchange["id"], "written": True}
        sent = filled(exchange["sent"], self.options["params"], self.pairs)
        texts = write([sent.get(kind) for kind in BODIES])
        for old, new in self.pairs.items():
            if old != new and write(new)[1:-1] in texts:
                self.back[old] = new
        chunks = chunks_of(sent, self.blobs)
        aborted = sent.get("aborted")
        if aborted:
            chunks = chunks[: int(aborted.spelled) if isinstance(aborted, Number) else 0]
        data = b"".join(chunks)
        said = {"hash": hash, "exchange": exchange["id"], "headers": sent["headers"]}
        said["status"] = int(sent["status"].spelled)
        try:
            said["body"] = data.decode()
        except UnicodeDecodeError:
            said["base64"] = base64.b64encode(data).decode()
        if len(chunks) > 1:
            said["pieces"] = [len(chunk) for chunk in chunks]
        if "cut" in sent:
            said["cut"] = True
        if aborted:
            said["aborted"] = int(aborted.spelled) if isinstance(aborted, Number) else aborted
        return said


# Exchanges written by hand


def check_format(form, content):
    """Refuses what this player cannot answer by hand."""
    body = content.value if content and content.kind == "json" else None
    is_known = form.tree["path"].endswith(("/chat/completions", "/v1/messages"))
    if not is_known or not isinstance(body, dict) or body.get("stream") is True:
        raise Refused("unsupported")


def texts_of(content):
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
    return [part["text"] for part in parts if part.get("type") == "text"]


def question_of(body):
    """What the user asks, in OpenAI's Chat Completions and Anthropic's Messages."""
    asked, told = None, texts_of(body.get("system"))
    for message in body["messages"]:
        content = message.get("content") or ""
        kinds = {"text"} if isinstance(content, str) else {part.get("type") for part in content}
        if message["role"] == "user" and kinds != {"tool_result"}:
            asked = texts_of(content)
        told += texts_of(content) if message["role"] in ("system", "developer") else []
    return trimmed("\n".join(told if asked is None else asked))


def trimmed(text):
    return re.sub(r"[^\S\n]+(?=\n)", "", text).rstrip()


def is_meant(exchange, body, form):
    """Whether an exchange that a person wrote answers a request."""
    prompt, question = exchange["prompt"], question_of(body)
    of_question = re.fullmatch("(?:sha256-)?([0-9a-f]{64})", prompt.get("hash", ""))
    if of_question:
        is_same = of_question[1] == hashlib.sha256(question.encode()).hexdigest()
    elif "hash" in prompt:
        is_same = len(prompt["hash"]) >= 22 and form.hash.startswith(prompt["hash"])
    else:
        is_same = question == trimmed("".join(prompt["text"]))
    has = {**body, "provider": form.tree["endpoint"]}
    same = lambda name, value: name in has and matches(value, has[name], [])
    return is_same and all(same(name, value) for name, value in prompt.get("metadata", {}).items())


# The cases


def edited(file, test, text):
    """What was changed since the hashes and the seal were written."""
    found = []
    if "seal" in file and text is not None:
        before = text.lstrip("\ufeff").replace("\r\n", "\n").rpartition('"seal"')[0]
        found += [] if hash_of(before) == file["seal"] else ["seal"]
    hashes = [hash.split(".") for hash in file.get("hashes", [])]
    if "hashes" in file and len(hashes) != len(test.all):
        return [*found, "hashes"]
    rules = [Number("1"), *(name for name, rule in test.rules)]
    for place in (-1, 0):
        for exchange, hash in zip(test.all, hashes):
            form = exchange.get("form")
            own = hash_of(write(exchange["response"])) if place else form.hash if form else ""
            is_counted = hash[place] and (place or file.get("rules") == rules)
            if is_counted and hash[place] != own[:22] and exchange["id"] not in found:
                found.append(exchange["id"])
    return found


def play(case):
    """What is printed for a case."""
    text = case["file"] if "file" in case else write(case["cassette"])
    try:
        file, exchanges = read(text, case.get("blobs", {}))
        test = Test(file, exchanges, case.get("options", {}), case.get("blobs", {}))
    except Refused as refused:
        return {"unreadable": refused.args[0]}
    expect = []
    for request in case.get("requests", []):
        expect.append(test.outcome(request))
        if expect[-1].get("refused") == "unsupported":
            break
    edits = edited(file, test, case.get("file"))
    return {"expect": expect, "unused": test.unused(), "edited": edits}


if __name__ == "__main__":
    sys.setrecursionlimit(20000)
    for name in sys.argv[1:]:
        print(json.dumps(play(parse(Path(name).read_text("utf-8")))))
