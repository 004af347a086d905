"""A player of the level `core` of docs/format.md, for Python 3.9 or newer, with nothing to install.

    python3 conformance/core.py conformance/cases/turns.json ...     plays cases, and prints a line of JSON for each

What it does not know it refuses by name: a field as `field`, and all else as `unsupported`. It never guesses.
"""

import copy
import hashlib
import json
import re
import sys
from pathlib import Path
from urllib.parse import parse_qsl

TABLES = json.loads(Path(__file__).with_name("tables.json").read_text("utf-8"))
CORE, HEADERS = TABLES["core"], TABLES["headers"]
ADDRESS = r"https?://([\w.-]+)(?::\d+)?([\w.~:@!$&'()*+,;=%/-]*)(?:\?([^#]*))?(?:#.*)?"
BASE64 = r"(data:[\w.+-]+/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*;base64,|)([A-Za-z0-9+/_-]+={0,2})"
USUAL = r"((application/json|\*/\*)( *; *charset=utf-8)?( *, *|$))+"
IDS_OF_CALLS = {path.split(".")[-1] for one in TABLES["calls"] for path, *_ in one["ids"]}


class Refused(Exception):
    """A file or a request is refused: a reason of "What must be refused", and what was found."""


def need(condition, reason="unsupported", found=None):
    if not condition:
        raise Refused(reason, found)


def know(value, form, reason="field", name=None):
    """Refuses a field that is unknown, missing, or of another form: an expression for its JSON."""
    if isinstance(form, str):
        need(not form or re.fullmatch(form, write(value)), reason, name)
    elif isinstance(form, list):
        need(isinstance(value, list), reason, name)
        for item in value:
            know(item, form[0], reason, name)
    else:
        need(isinstance(value, dict) and all(key in value or key[-1] in "?*" for key in form), reason, name)
        for key, item in value.items():
            known = form.get(key, form.get(key + "?", form.get("*")))
            need(known is not None, reason, key)
            know(item, known, reason, key)


# JSON


def items_of(value):
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def levels(value):
    return 1 + max(map(levels, items_of(value)), default=0)


def size(value):
    return 1 + sum(map(size, items_of(value))) + (len(value) // 128 if isinstance(value, str) else 0)


def parse(text, reason):
    """JSON whose numbers, keys and characters all languages read and write alike."""

    def number(spelling):
        value = (float if re.search("[.eEN]", spelling) else int)(spelling)
        need(str(value) == spelling, found=f"the number {spelling}")
        return value

    def keys(items):
        need(len(dict(items)) == len(items), found="a key that stands twice")
        need(not any(key.isdigit() for key, _ in items), found="a key that is a number")
        return dict(items)

    try:
        value = json.loads(
            text, parse_int=number, parse_float=number, parse_constant=number, object_pairs_hook=keys
        )
        need(levels(value) <= 1001, reason)
    except (ValueError, RecursionError) as error:
        raise Refused(reason, str(error)) from None
    need(not re.search("[\ud800-\udfff]", write(value)), found="half of a character")
    return value


def write(value, layout={}):
    """JSON as ECMAScript writes it, in a layout."""
    indent = layout.get("indent")
    comma = ", " if layout.get("spacedItems") and not indent else ","
    colon = ": " if layout.get("spacedKeys") or indent else ":"
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=(comma, colon))
    return text[:-1] + " " * layout.get("pad", 0) + text[-1] + layout.get("end", "")


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def utf16(text):
    """The units by which texts are sorted and measured."""
    return text.encode("utf-16-be")


# What counts of a request


def canonical(value, name, is_strict):
    """A value as it counts, with the name of its field. If it is not strict, the ids of calls do not count."""
    if isinstance(value, dict):
        form = {key: canonical(value[key], key, is_strict) for key in sorted(value, key=utf16)}
        is_ordered = name in ("properties", "parameter_definitions") and list(value) != list(form)
        return ["\0order", list(value), form] if is_ordered else form
    if isinstance(value, list):
        return [canonical(item, "", is_strict) for item in value]
    if isinstance(value, str):
        base64 = re.fullmatch(BASE64, value) if len(value) >= 1024 else None
        if base64:
            return f"\0base64:{base64[1]}{sha(base64[2])}"
        text = value.replace("\0", "\0\0") if is_strict or name not in IDS_OF_CALLS else ""
        return f"\0text:{sha(text)}" if len(utf16(text)) >= 2048 else text
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        need(abs(value) < 2**53 and "e" not in str(value), found=f"the number {value}")
        return int(value) if value == int(value) else value
    return value


def header(name, value):
    """What counts of a header."""
    reading = HEADERS["known"].get(name)
    if reading == "set":
        return ", ".join(sorted({item.strip() for item in value.split(",")} - {""}, key=utf16))
    is_usual = reading in ("formats", "accepted") and re.fullmatch(USUAL, value.lower())
    need(reading == "text" or is_usual, found=f"the header {name}")
    return "" if is_usual else value


def forms_of(method, url, headers, body):
    """The canonical form of a request, and the same without the ids of calls."""
    address = re.fullmatch(ADDRESS, url, re.ASCII)
    need(address and not re.search(r"/(\.|%2e)+(/|$)", address[2], re.IGNORECASE), found=url)
    host, query = address[1].lower().rstrip("."), parse_qsl(address[3] or "", keep_blank_values=True)
    need(all(name.lower() in TABLES["query"]["kept"] for name, _ in query), found=url)
    need(not re.search("(REDACTED|DIGEST):", write([url, headers, body])), found="a placeholder")
    patterns = (one["endpoint"] for one in TABLES["endpoints"]["patterns"] if re.search(one["hosts"], host))
    endpoint = TABLES["endpoints"]["hosts"].get(host) or next(patterns, host)
    readings = {name: header(name, value) for name, value in headers.items()}
    rest = {
        "endpoint": re.sub(r"^(127(\.\d+){3}|0\.0\.0\.0)$", "localhost", endpoint),
        "headers": sorted((f"{name}: {value}" for name, value in readings.items() if value), key=utf16),
        "method": method,
        "path": address[2] or "/",
        "query": [f"{name}={value}" for name, value in sorted(query, key=lambda pair: pair[0])],
    }
    if not rest["headers"]:
        del rest["headers"]
    values = [canonical(body, "", is_strict) for is_strict in (True, False)]
    return [write({"body": ["json", one] if isinstance(one, list) else one, **rest}) for one in values]


# The file


def follow(value, keys, reason="reference"):
    """The value at the keys of a JSON pointer."""
    for key in keys:
        if isinstance(value, list):
            need(re.fullmatch("0|[1-9][0-9]{0,8}", key) and int(key) < len(value), reason, key)
        else:
            need(isinstance(value, dict) and key in value, reason, key)
        value = value[int(key) if isinstance(value, list) else key]
    return value


def first_key(body):
    return next(iter(body), "") if isinstance(body, dict) else ""


def keys_of(pointer):
    return [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]


def decode(value):
    """What a value stands for. A key with `$` that is not known here could have a meaning."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$text" in value:
        know(value, CORE["pieces"], "body")
        return "".join(value["$text"])
    if "$stringified" in value:
        know(value, CORE["stringified"], "body")
        return write(decode(value["$stringified"]), value.get("layout", {}))
    need(all(key[:1] != "$" or key in CORE["json_schema"] for key in value), found=list(value))
    return {key: decode(item) for key, item in value.items()}


def unrolled(event):
    """An event, and those for which its `next` stands."""
    if isinstance(event, str):
        return [event]
    know(event, CORE["event"], "body")
    events, columns = [{key: event[key] for key in event if key != "next"}], event.get("next", {"": []})
    lengths = {len(column) for column in columns.values()}
    need("next" not in event or len(lengths) == 1 and 0 not in lengths, "body", "next")
    for values in zip(*columns.values()):
        events.append(copy.deepcopy(events[0]))
        for keys, value in zip(map(keys_of, columns), values):
            need(keys, "body", "next")
            follow(events[-1], keys, "body")
            owner = follow(events[-1], keys[:-1])
            owner[int(keys[-1]) if isinstance(owner, list) else keys[-1]] = value
    return events


class Player:
    """Plays one file in one test."""

    def __init__(self, text):
        file = parse(text, "json")
        version = str(file.get("version")) if isinstance(file, dict) else ""
        need(not re.match("[02-9]|1[0-9]", version), "version")
        know(file, CORE["file"])
        need(int(version[2:]) >= 3 or not file["exchanges"], "version")
        self.seen, self.size = {}, 0
        self.exchanges = [self.read(one) for one in file["exchanges"]]

    def read(self, exchange):
        """An exchange, with the forms of its request and the pieces of its answer."""
        request, answer = exchange["wire"]["request"], exchange["wire"]["response"]
        need("body" not in answer or answer["status"] not in (204, 205, 304), "field", "body")
        seen = {key: exchange[key] for key in ("prompt", "response")}
        halves = seen["wire"] = {"request": {}, "response": {}}
        self.seen.setdefault(exchange["id"], seen)
        body = self.json(request, "request", halves["request"])
        forms = forms_of(request["method"], request["url"], request.get("headers", {}), body)
        return {
            **exchange,
            "forms": forms,
            "pieces": self.pieces(answer, halves["response"]),
            "played": 0,
        }

    def json(self, half, of, seen):
        """A body that is JSON, or None."""
        if "body" not in half:
            return None
        kind = first_key(half["body"])
        need(kind not in CORE["other_bodies"] and isinstance(half["body"], (dict, list)), found=kind)
        seen["body"] = self.resolve(half["body"], ["wire", of, "body"])
        return decode(seen["body"])

    def pieces(self, answer, seen):
        """The bytes of an answer, in the pieces in which they are sent."""
        layout, eol, body = answer.get("layout", {}), answer.get("eol", "\n"), answer.get("body")
        kind = first_key(body)
        if kind == "$text":
            know(body, CORE["pieces" if isinstance(body[kind], list) else "text"], "body")
            return ["".join(body[kind]).encode()]
        if kind != "$events":
            value = self.json(answer, "response", seen)
            return [] if value is None else [write(value, layout).encode()]
        need(len(body) == 1 and isinstance(body[kind], list), "body", kind)
        seen["body"], pieces = [], []
        for event in (one for item in body[kind] for one in unrolled(item)):
            if isinstance(event, dict):
                place = ["wire", "response", "body", str(len(seen["body"]))]
                seen["body"].append(self.resolve(event["data"], place))
                data, pad = decode(seen["body"][-1]), event.get("pad", layout.get("pad", 0))
                data = data if isinstance(data, str) else write(data, {**layout, "pad": pad})
                name = f"event: {event['event']}{eol}" if "event" in event else ""
                event = f"{name}data: {data}{eol}{eol}"
            pieces.append(event.encode())
        return pieces

    def resolve(self, value, place):
        """A value at a place, with what its references stand for."""
        if isinstance(value, list):
            items = []
            for item in value:
                is_several = isinstance(item, dict) and "$same" in item and "count" in item
                here = [*place, str(len(items))]
                items += self.find(item, place) if is_several else [self.resolve(item, here)]
            return items
        if not isinstance(value, dict):
            return value
        need("$json" not in value, found="$json")
        if "$same" in value:
            need("count" not in value and "from" not in value, "reference", "count")
            return self.find(value, place)
        return {key: self.resolve(item, [*place, key]) for key, item in value.items()}

    def find(self, same, place):
        know(same, CORE["reference"], "reference")
        need(same["$same"] in self.seen, "reference", same["$same"])
        found = follow(self.seen[same["$same"]], keys_of(same["at"]) if "at" in same else place)
        if "count" in same:
            end = same.get("from", 0) + same["count"]
            need(isinstance(found, list) and end <= len(found), "reference", same["$same"])
            found = found[end - same["count"] : end]
        self.size += size(found)
        need(self.size <= 4_194_304, "reference", "too many")
        return found

    def ask(self, method, url, headers, text):
        """The exchange that answers a request."""
        body = parse(text, "unsupported") if text else None
        need(body is None or isinstance(body, (dict, list)), found="a body that is no object or list")
        lower = {name.lower(): value for name, value in headers.items()}
        kept = {name: value for name, value in lower.items() if re.search(HEADERS["stored"], name)}
        strict, loose = forms_of(method, url, kept, body)
        found = [one for one in self.exchanges if one["forms"][0] == strict]
        similar = [one for one in self.exchanges if one["forms"][1] == loose]
        need(found == similar, found="other ids of calls")
        need(found, "unmatched")
        left = [one for one in found if not one["played"]]
        need(left, "played")
        chosen = min(left, key=lambda one: one["wire"]["request"]["url"] != url)
        chosen["played"] = 1
        return {**chosen, "hash": {"hash": f"sha256-{sha(strict)}"} if strict == loose else {}}


def play(case):
    """What a player makes of a case. After a request that is not supported, nothing is answered."""
    need(not set(case.get("options", {})) - {"env"}, found=list(case.get("options", {})))
    player, outcomes = Player(case["file"] if "file" in case else write(case["cassette"])), []
    for raw in case["requests"]:
        try:
            need(not set(raw) - {"method", "url", "headers", "body", "expect"}, found=list(raw))
            one = player.ask(raw["method"], raw["url"], raw.get("headers", {}), raw.get("body", ""))
            answer, pieces = one["wire"]["response"], one["pieces"]
            lengths = {"pieces": [len(piece) for piece in pieces]} if len(pieces) > 1 else {}
            told = {"exchange": one["id"], "status": answer["status"], "headers": answer["headers"]}
            outcomes.append({**one["hash"], **told, "body": b"".join(pieces).decode(), **lengths})
        except Refused as refused:
            outcomes.append({"refused": refused.args[0], "found": refused.args[1]})
            if refused.args[0] == "unsupported":
                break
    return {"expect": outcomes, "unused": [one["id"] for one in player.exchanges if not one["played"]]}


def main(names):
    for name in names:
        try:
            print(json.dumps(play(parse(Path(name).read_text("utf-8"), "unsupported"))))
        except Refused as refused:
            print(json.dumps({"unreadable": refused.args[0], "found": refused.args[1]}))
        except RecursionError:
            print(json.dumps({"unreadable": "unsupported", "found": "so many levels"}))


if __name__ == "__main__":
    main(sys.argv[1:])
