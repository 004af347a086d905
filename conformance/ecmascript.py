"""What a runtime of ECMAScript brings, and Python does not: its JSON, numbers, order, expressions and headers.

Nothing of this is a rule of the format, but for the layouts of JSON.
"""

import base64
import hashlib
import json
import re
import uuid
from collections import UserString as Number  # a number is kept as it is spelled
from decimal import Decimal
from urllib.parse import parse_qsl

MARK = str(uuid.uuid4())  # stands before a number while JSON is written


def parse(text):
    """JSON in which no object has a key twice, or a ValueError."""

    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)

    numbers = {"parse_int": Number, "parse_float": Number, "parse_constant": int}
    return json.loads(text, object_pairs_hook=once, **numbers)


def is_tree(value):
    return isinstance(value, (dict, list))


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


def parameters(query):
    """Names and values of a query, decoded; a byte that is no UTF-8 is U+DC00 plus it."""
    return parse_qsl(query, keep_blank_values=True, errors="surrogateescape")


def by_name(headers):
    """Headers by their names in lower case; several lines are one."""
    lines = lambda value: [value] if isinstance(value, str) else value
    joined = lambda value: ", ".join(line.strip(" \t") for line in lines(value))
    return {name.lower(): joined(value) for name, value in headers.items()}
