"""Reads cassettes, as docs/format.md says: the file, its references, its values, its bodies, and the JSON of all this."""
import base64, hashlib, json, os, re, struct, sys, zlib

sys.setrecursionlimit(100_000)
HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "tables.json"), encoding="utf-8") as file:
    TABLES = json.load(file)
NUL, MAX_DEPTH, MAX_STEPS, MAX_SIZE = "\0", 1_000, 2**22, 2**29


class Refused(Exception):
    """A file or a request is refused, for one of the reasons of docs/format.md."""


# JSON, whose numbers keep their spelling, and whose objects have ECMAScript's order


class Num(str):
    """A number as it is spelled."""


class Twice(dict):
    """An object of a text in which one of its keys stands twice."""


def utf16(text):
    return text.encode("utf-16-be", "surrogatepass")


def is_index(key):
    return re.fullmatch(r"0|[1-9][0-9]{0,9}", key) is not None and int(key) < 2**32 - 1


def in_order(pairs):
    known = dict(pairs)
    order = sorted(filter(is_index, known), key=int) + [key for key in known if not is_index(key)]
    return (dict if len(known) == len(pairs) else Twice)((key, known[key]) for key in order)


def refuse_constant(name):
    raise ValueError(name)


def parse(text):
    value = json.loads(text, parse_float=Num, parse_int=Num, parse_constant=refuse_constant, object_pairs_hook=in_order)
    if depth_of(value) > MAX_DEPTH:
        raise Refused("json")
    return value


def depth_of(value):
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inside is None else 1 + max(map(depth_of, inside), default=0)


def has_twice(value):
    if isinstance(value, dict):
        return isinstance(value, Twice) or any(map(has_twice, value.values()))
    return isinstance(value, list) and any(map(has_twice, value))


def is_text(value):
    return isinstance(value, str) and not isinstance(value, Num)


def write_text(text):
    return re.sub("[\ud800-\udfff]", lambda unit: "\\u%04x" % ord(unit[0]), json.dumps(text, ensure_ascii=False))


def write(value, layout={}, level=0):
    if isinstance(value, Num):
        return str(value)
    if isinstance(value, str):
        return write_text(value)
    if not isinstance(value, (dict, list)):
        return json.dumps(value)
    indent = int(layout.get("indent", 0))
    colon = ": " if indent or layout.get("spacedKeys") else ":"
    items = (
        [write_text(key) + colon + write(item, layout, level + 1) for key, item in value.items()]
        if isinstance(value, dict)
        else [write(item, layout, level + 1) for item in value]
    )
    start, end = "{}" if isinstance(value, dict) else "[]"
    if not items or not indent:
        return start + (", " if layout.get("spacedItems") else ",").join(items) + end
    inner = "\n" + " " * indent * (level + 1)
    return start + inner + ("," + inner).join(items) + "\n" + " " * indent * level + end


def write_in(value, layout):
    text = write(value, layout)
    if layout.get("ascii"):
        units = lambda found: "".join("\\u%04x" % unit for unit in struct.unpack(">%dH" % (len(utf16(found[0])) // 2), utf16(found[0])))
        text = re.sub("[^\0-\x7f]", units, text)
    pad = int(layout.get("pad", 0))
    return text[:-1] + " " * pad + text[-1] + layout.get("end", "")


def to_bytes(text):
    """UTF-8, where half a surrogate pair is U+FFFD."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text).encode()


def sha256(content):
    return hashlib.sha256(content if isinstance(content, bytes) else to_bytes(content)).hexdigest()


def es_number(number):
    """A double as ECMAScript writes it."""
    if number == 0:
        return "0"
    if number in (float("inf"), float("-inf")):
        return "null"
    mantissa, _, exponent = ("%r" % abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0") or "0"
    sign = "-" if number < 0 else ""
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = "e%s%d" % ("+" if point > 0 else "-", abs(point - 1))
    return sign + digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + power


# The file: its fields, each with a check of its value


def matches(pattern):
    return lambda value: is_text(value) and re.fullmatch(pattern, value, re.S) is not None


def fields(required, **optional):
    def check(value):
        known = {**required, **optional}
        return (
            isinstance(value, dict)
            and all(name in value for name in required)
            and all(name in known and known[name](item) for name, item in value.items())
        )
    return check


def each(check):
    return lambda value: isinstance(value, list) and all(map(check, value))


def values(check, names=is_text):
    return lambda value: isinstance(value, dict) and all(names(name) and check(item) for name, item in value.items())


def one_of(*known):
    return lambda value: any(value is one or (is_text(value) and value == one) for one in known)


def whole(least, most):
    return lambda value: isinstance(value, Num) and float(value).is_integer() and least <= float(value) <= most


def either(*checks):
    return lambda value: any(check(value) for check in checks)


anything = lambda value: True
count = lambda value: isinstance(value, Num) and 0 <= float(value) < float("inf")
flag = one_of(True, False)
said = either(is_text, fields({"$text": each(is_text)}))
time = matches(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z")
header = matches(r"[\t\x20-\x7e\x80-\xff]*")
prompt_hash, answer_hash = matches("sha256-[0-9a-f]{64}"), matches("sha256-[0-9a-f]{32}")
tokens = ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "reasoning_output_tokens"]
layout_of_json = fields({}, indent=whole(1, 16), spacedItems=flag, spacedKeys=flag, ascii=flag, pad=whole(1, 1_000), end=matches(r"\s{1,1000}"))
spelling = dict(layout=layout_of_json, eol=one_of("\n", "\r\n"), body=anything)
speech = dict(
    reasoning=said,
    tool_calls=each(fields({"tool_name": is_text, "parameters": anything}, result=anything)),
    finish_reasons=each(is_text),
    usage=fields({}, **{name: count for name in tokens}),
    error=is_text, incomplete=flag, duration_ms=count, status=whole(400, 599),
)
request_fields = fields(
    {"method": matches("[A-Z]+"), "url": matches(r"(https?|wss?|mcp):.+")},
    headers=values(header, matches(TABLES["headers"]["stored"])), older=one_of("headers"), after=is_text,
    imported=fields(
        {"from": matches("[a-z][a-z0-9-]*")}, unknown=each(one_of("method", "host", "path", "body")), kind=one_of("json", "form"),
        respelled=one_of(True), redacted=each(lambda text: is_text(text) and len(text) >= 3),
    ), **spelling)
response_fields = fields(
    {"status": whole(200, 599), "headers": values(header, one_of(*TABLES["headers"]["of_answers"]))},
    hash=answer_hash, cut=flag, aborted=either(one_of("before-headers"), whole(0, 2**53)), **spelling)
recorded_fields = fields({
    "id": is_text, "prompt": fields({"text": said, "metadata": values(anything)}, hash=prompt_hash),
    "response": fields({"text": said}, kept=one_of(True), **speech), "wire": fields({"request": request_fields}, response=response_fields),
})
written_fields = fields(
    {"prompt": fields({"text": said}, hash=is_text, metadata=values(anything)), "response": fields({}, text=said, **speech)}, id=is_text)
params = values(either(is_text, lambda value: isinstance(value, Num)), matches(r"[A-Za-z_]\w*"))
file_fields = fields(
    {"version": matches(r"1\.\d+"), "conversation_id": is_text, "timestamp": time, "exchanges": each(either(recorded_fields, written_fields))},
    **{"$schema": is_text}, oldest_answer=time, invalid=fields({"reason": lambda text: is_text(text) and text != "", "since": time}),
    params=params, proposed_params=params, file_hash=matches("sha256-[0-9a-f]{32}-[0-9a-f]{32}"),
    hashes=values(fields({"prompt": prompt_hash}, answer=answer_hash)))


def read_file(content):
    try:
        file = parse(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Refused("json") from None
    version = file.get("version") if isinstance(file, dict) else None
    if is_text(version) and re.match(r"\d+", version) and int(re.match(r"\d+", version)[0]) > 1:
        raise Refused("version")
    if not file_fields(file):
        raise Refused("field")
    places = {}
    for place, exchange in enumerate(file["exchanges"]):
        wire, response = exchange.get("wire", {}), exchange["response"]
        answer = wire.get("response", {})
        if answer.get("status") in ("204", "205", "304") and ("body" in answer or answer.get("cut")):
            raise Refused("field")
        if not wire and not {"text", "tool_calls", "error"} & set(response):
            raise Refused("field")
        if wire and int(file["version"][2:]) < 3:
            raise Refused("version")
        name = exchange.get("id", "exchange-%d" % (place + 1))
        if name in places and not (wire and places[name]):
            raise Refused("ids")
        places.setdefault(name, bool(wire))
    return file


# References and values


def keys_of(pointer):
    return [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]


def step_into(value, key):
    if isinstance(value, dict) and key in value:
        return value[key]
    if isinstance(value, list) and is_index(str(key)) and int(key) < len(value):
        return value[int(key)]
    raise Refused("reference")


class References:
    def __init__(self):
        self.exchanges, self.steps, self.size = {}, 0, 0

    def target(self, reference, here):
        value = self.exchanges.get(reference["$same"]) if is_text(reference["$same"]) else None
        keys = keys_of(reference["at"]) if is_text(reference.get("at")) else here
        self.take(len(keys))
        if value is None:
            raise Refused("reference")
        for key in keys:
            value = step_into(value, key)
        return value

    def take(self, steps=0, size=0):
        self.steps, self.size = self.steps + steps, self.size + size
        if self.steps > MAX_STEPS or self.size > MAX_SIZE:
            raise Refused("reference")

    def resolve(self, value, here):
        if isinstance(value, list):
            items = []
            for item in value:
                if isinstance(item, dict) and "$same" in item and "count" in item and not isinstance(item.get("$json"), dict):
                    start, length = (Num(item.get("from", "0")), Num(item["count"]))
                    known = self.target(item, here)
                    if not (whole(0, 2**31)(start) and whole(1, 2**31)(length) and isinstance(known, list) and int(start) + int(length) <= len(known)):
                        raise Refused("reference")
                    self.take(int(length))
                    items += known[int(start):int(start) + int(length)]
                else:
                    items.append(self.resolve(item, here + [len(items)]))
            return items
        if not isinstance(value, dict):
            return value
        if isinstance(value.get("$json"), dict):
            return {"$json": {key: self.resolve(item, here + ["$json", key]) for key, item in value["$json"].items()}}
        if "$same" in value:
            known = self.target(value, here)
            self.take(size=len(known) if is_text(known) else 0)
            return known
        return {key: self.resolve(item, here + [key]) for key, item in value.items()}


class Decoder:
    def __init__(self, blobs):
        self.blobs, self.size = blobs, 0

    def decode(self, value, depth=0):
        if depth > MAX_DEPTH:
            raise Refused("reference")
        if isinstance(value, list):
            return [self.decode(item, depth + 1) for item in value]
        if not isinstance(value, dict):
            self.size += len(value) if isinstance(value, str) else 8
            if self.size > MAX_SIZE:
                raise Refused("reference")
            return value
        if isinstance(value.get("$json"), dict):
            return {key: self.decode(item, depth + 1) for key, item in value["$json"].items()}
        if is_text(value.get("$blob")):
            return self.prefix_of(value) + self.blob(value["$blob"])
        if "$text" in value:
            return join(value["$text"])
        if "$stringified" in value:
            layout = value.get("layout", {})
            if not layout_of_json(layout):
                raise Refused("body")
            return write_in(self.decode(value["$stringified"], depth + 1), layout)
        return {key: self.decode(item, depth + 1) for key, item in value.items()}

    def prefix_of(self, value):
        if not is_text(value.get("prefix", "")):
            raise Refused("blob")
        return value.get("prefix", "")

    def blob(self, name):
        content = self.blobs.get(name) if re.fullmatch(r"[0-9a-f]{64}\.[a-z0-9]{2,5}", name) else None
        if content is None or sha256(content) != name[:64]:
            raise Refused("blob")
        return base64.b64encode(content).decode()


def join(pieces):
    if not each(is_text)(pieces):
        raise Refused("body")
    return "".join(pieces)


# Bodies: a kind and its content


KINDS = {"$text": "text", "$base64": "bytes", "$events": "events", "$lines": "lines", "$frames": "frames", "$form": "form"}


def is_event(item):
    return is_text(item) or (
        isinstance(item, dict) and "data" in item and is_text(item.get("event", "")) and whole(1, 1_000)(item.get("pad", Num("1"))))


def is_frame(item):
    if not isinstance(item, dict):
        return False
    named = values(is_text)(item["headers"]) if isinstance(item.get("headers"), dict) else is_text(item.get("event"))
    return is_text(item["bytes"]) if "bytes" in item else named and "data" in item


CHECKS = {"events": is_event, "lines": lambda item: is_text(item) or isinstance(item, dict), "frames": is_frame, "form": lambda item: isinstance(item, dict)}


def write_out_runs(items):
    for item in items:
        if not (isinstance(item, dict) and "next" in item):
            yield item
            continue
        first = {key: value for key, value in item.items() if key != "next"}
        columns = item["next"] if isinstance(item["next"], dict) else {}
        lengths = {len(column) if isinstance(column, list) else 0 for column in columns.values()}
        if len(lengths) != 1 or lengths == {0}:
            raise Refused("body")
        yield first
        for place in range(lengths.pop()):
            event = first
            for pointer, column in columns.items():
                event = replace_at(event, keys_of(pointer), column[place])
            yield event


def replace_at(value, keys, leaf):
    if not keys:
        return leaf
    try:
        inner = replace_at(step_into(value, keys[0]), keys[1:], leaf)
    except Refused:
        raise Refused("body") from None
    if isinstance(value, list):
        return value[:int(keys[0])] + [inner] + value[int(keys[0]) + 1:]
    return {**value, keys[0]: inner}


def map_json(kind, content, change):
    """The body with each value that is JSON in it changed, in the order in which references count them."""
    def frame(item):
        if "bytes" in item:
            return item
        changed = {"data": change(item["data"])}
        if "chunk" in item:
            changed["chunk"] = change(item["chunk"])
        return {**item, **changed}
    if kind == "json":
        return change(content)
    if kind == "events":
        return [item if is_text(item) else {**item, "data": change(item["data"])} for item in content]
    if kind == "lines":
        return [item if is_text(item) else change(item) for item in content]
    if kind == "frames":
        return [frame(item) for item in content]
    return [change(item) for item in content] if kind == "form" else content


def read_body(half, here, known, references, decoder):
    """The body of a request or an answer of the file; notes in `known` what references see of it."""
    known["body"] = pieces = []
    if "body" not in half:
        return "empty", None
    stored = half["body"]
    kind = KINDS.get(next(iter(stored), ""), "json") if isinstance(stored, dict) else "json"
    content = stored if kind == "json" else next(iter(stored.values()))
    if kind == "bytes":
        text = decoder.decode(content)
        return kind, base64.b64decode(text if is_text(text) else join(text))
    if kind == "text":
        return kind, content if is_text(content) else join(content)
    if kind in ("events", "frames") and isinstance(content, list):
        content = list(write_out_runs(content))
    if kind != "json" and not each(CHECKS[kind])(content):
        raise Refused("body")

    def resolve(value):
        resolved = references.resolve(value, here + ([] if kind == "json" else [len(pieces)]))
        pieces.append(resolved)
        if kind == "json":
            known["body"] = resolved
        return resolved
    return kind, map_json(kind, map_json(kind, content, resolve), decoder.decode)


def write_frame(frame):
    if "bytes" in frame:
        return base64.b64decode(frame["bytes"])
    event = {":event-type": frame.get("event"), ":content-type": "application/json", ":message-type": "event"}
    data, head = frame["data"], b""
    for name, value in (frame.get("headers") or event).items():
        head += struct.pack(">B", len(name)) + name.encode() + struct.pack(">BH", 7, len(value.encode())) + value.encode()
    if "chunk" in frame:
        chunk = frame["chunk"] if is_text(frame["chunk"]) else write(frame["chunk"])
        data = {"bytes": base64.b64encode(to_bytes(chunk)).decode(), **data}
    payload = to_bytes(data if is_text(data) else write(data))
    start = struct.pack(">II", len(head) + len(payload) + 16, len(head))
    message = start + struct.pack(">I", zlib.crc32(start)) + head + payload
    return message + struct.pack(">I", zlib.crc32(message))


def pieces_of(kind, content, half):
    layout, eol = half.get("layout", {}), half.get("eol", "\n")

    def event(item):
        if is_text(item):
            return item
        spelled = {**layout, **({"pad": item["pad"]} if "pad" in item else {})}
        name = "event: %s%s" % (item["event"], eol) if "event" in item else ""
        return name + "data: " + (item["data"] if is_text(item["data"]) else write_in(item["data"], spelled)) + eol * 2
    if kind == "events":
        return [to_bytes(event(item)) for item in content]
    if kind == "lines":
        return [to_bytes(item if is_text(item) else write_in(item, layout) + eol) for item in content]
    if kind == "frames":
        return [write_frame(item) for item in content]
    if kind == "json":
        return [to_bytes(write_in(content, layout))]
    return [] if kind == "empty" else [content if kind == "bytes" else to_bytes(content)]
