"""What a runtime of ECMAScript brings, and Python does not: its JSON, numbers, order and addresses.

Nothing of this is a rule of the format, but for the layouts of JSON.
"""

import base64
import hashlib
import ipaddress
import json
import re
import uuid
from collections import UserString as Number  # a number is kept as it is spelled
from decimal import Decimal
from urllib.parse import parse_qsl, quote, unquote

MARK = str(uuid.uuid4())  # stands before a number while JSON is written


def parse(text):
    """JSON of at most 1,000 levels in which no object has a key twice, or a ValueError."""

    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)

    numbers = {"parse_int": Number, "parse_float": Number, "parse_constant": int}
    value = json.loads(text, object_pairs_hook=once, **numbers)
    if levels(value) > 1001:
        raise ValueError("too many levels")
    return value


def levels(value):
    return is_tree(value) and 1 + max(map(levels, parts_of(value)), default=0)


def is_tree(value):
    return isinstance(value, (dict, list))


def parts_of(value):
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else []


def write(value, layout={}):
    """JSON as JSON.stringify writes it, or in a layout."""
    indent = int(layout["indent"]) if "indent" in layout else None
    between = (", ", ": ") if "spaced" in layout else (",", ":" if indent is None else ": ")
    mark = lambda number: MARK + str(number)
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=between, default=mark)
    text = re.sub(f'"{MARK}([^"]*)"', r"\1", text) + layout.get("end", "")
    text = utf16(text).decode("utf-16-be", "surrogatepass")  # joins halves of a pair
    escaped = "[\x7f-\U0010ffff]" if "ascii" in layout else "[\ud800-\udfff]"
    return re.sub(escaped, lambda at: re.sub("....", r"\\u\g<0>", utf16(at[0]).hex()), text)


def utf16(text):
    """What texts are sorted by."""
    return text.encode("utf-16-be", "surrogatepass")


def hash_of(data):
    """The base64url sha256 of bytes, or of a text."""
    data = data.encode() if isinstance(data, str) else data
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def double(spelled):
    """The double that a number spells, and how ECMAScript writes it."""
    value = float(spelled) or 0.0
    text = repr(value)
    if 1e-6 <= abs(value) < 1e21:
        text = format(Decimal(text), "f")
    return value, re.sub(r"\.0$", "", text).replace("e-0", "e-")


def object_order(keys):
    """Keys in the order of an object: whole numbers first."""
    is_index = lambda key: re.fullmatch("0|[1-9][0-9]*", key) and int(key) < 2**32 - 1
    return sorted(keys, key=lambda key: int(key) if is_index(key) else 2**32)


def expression(source, flags=""):
    """An expression: `\\d`, `\\w`, `\\b` are ASCII, `\\s` is not, `$` is the end."""
    spaces = "\\t\\n\\v\\f\\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
    parts, in_class = [], False
    for part in re.findall(r"\\.|\(\?<(?=[A-Za-z])|[\s\S]", source):
        if in_class:
            part = {r"\s": spaces, "[": r"\["}.get(part, part)
        else:
            outside = {r"\s": f"[{spaces}]", r"\S": f"[^{spaces}]", "(?<": "(?P<", "$": r"\Z"}
            part = outside.get(part, part)
        in_class = part == "[" or in_class and part != "]"
        parts.append(part)
    return re.compile("".join(parts), re.ASCII | (re.IGNORECASE if "i" in flags else 0))


def address(url):
    """Scheme, host (without port), path and query of a URL, or a ValueError."""
    url = re.sub("[\t\r\n]", "", url.strip("".join(map(chr, range(33))))).partition("#")[0]
    scheme, _, rest = url.partition(":")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme):
        raise ValueError("no URL")
    rest, _, query = rest.partition("?")
    is_special = scheme.lower() in ("http", "https", "ws", "wss", "ftp")
    if is_special:
        rest = "//" + rest.replace("\\", "/").lstrip("/")
    if not rest.startswith("//"):
        return scheme.lower(), "", quote(rest, safe="".join(map(chr, range(32, 127)))), query
    authority, slash, path = rest[2:].partition("/")
    host, kept = re.sub(r":\d*$", "", authority.rpartition("@")[2]), []
    for segment in path.split("/"):
        dots = segment.lower().replace("%2e", ".")
        kept = kept[:-1] if dots == ".." else kept
        kept += [] if dots in (".", "..") else [segment]
    kept += [""] if dots in (".", "..") else []
    path = "/" + "/".join(kept) if slash or is_special else ""
    path = quote(path, safe="!$%&'()*+,/:;=@[\\]|")
    return scheme.lower(), host_of(host) if is_special else host, path, query


def host_of(host):
    """A host of http, as the standard writes it."""
    host = unquote(host).lower()
    host = host if host.isascii() else host.encode("idna").decode()
    if host.startswith("["):
        return f"[{ipaddress.IPv6Address(host[1:-1]).compressed}]"
    if re.search(r"(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$", host):
        base = lambda part: 16 if part[:2] == "0x" else 8 if part[:1] == "0" else 10
        parts = host.rstrip(".").split(".")
        *numbers, last = [int(part, base(part)) if part != "0x" else 0 for part in parts]
        last += sum(number << 24 - 8 * place for place, number in enumerate(numbers))
        return str(ipaddress.IPv4Address(last))
    return host


def parameters(query):
    """Names and values of a query, decoded; a byte that is no UTF-8 is U+DC00 plus it."""
    return parse_qsl(query, keep_blank_values=True, errors="surrogateescape")
