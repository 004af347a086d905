"""A player of both pages of the format: format-values.md, on top of core.py, which is format.md."""

import hashlib
import re
from urllib.parse import urlsplit
import core
from ecmascript import Number, by_name, expression, hash_of, is_tree
from ecmascript import parameters, parse, utf16, write
from reading import MEMBERS, TABLES, File, Refused
from run import run
from wire import decoded, form_of, frame, frames_of, from_base64, text_of, to_base64

NAMES, OTHER_NAMES = (expression(TABLES["secrets"][which]) for which in ("names", "but"))
NOT_IN_FIELDS = expression(**TABLES["volatile"]["not_in_fields"])
INDEX = expression(TABLES["streams"]["numbers"])
PLACEHOLDER = re.compile("<REDACTED:(?==*[^=<>][^<>]*>)")  # what looks like one
PLACEHOLDER_OF_DATA = re.compile("<REDACTED:=(?==*[^=<>][^<>]*>)")
TREE = re.compile(r"[ \t\r\n]*[\[{]")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*')  # a string or a number in JSON
UNIT = re.compile(r"\\u[0-9a-fA-F]{4}|\\?.", re.S)  # a character of a string in JSON
TYPE_NAMES = {str: "", Number: "number:", dict: "object:", list: "array:", bool: "boolean:"}
TYPE_NAMES[type(None)] = "null:"
UNKNOWN = {"host": ["endpoint"], "path": ["path", "query"]}  # members that are not told
NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.A)


# Bodies


def tree_of(text):
    """The object or list that a text is as JSON, or None."""
    try:
        return parse(text) if TREE.match(text) else None
    except (ValueError, RecursionError):
        return None


def content_of(data, content_type=""):
    """What a body is: no member or one, as it stands in the canonical form."""
    form, frames, text = form_of(data, content_type), frames_of(data), text_of(data)
    if form is not None:
        return {"form": [part_of(*part) for part in form]}
    if not data:
        return {}
    if frames:
        value = lambda payload: value_of(payload.decode("utf-8", "surrogateescape"))
        return {"frames": [{"headers": of, "data": value(payload)} for of, payload in frames]}
    if text is None:
        return {"bytes": hash_of(data)}
    if tree_of(text) is not None:
        return {"body": tree_of(text)}
    lines = [tree_of(line) for line in text.removesuffix("\n").split("\n")]
    if text[0] == "{" and all(isinstance(line, dict) for line in lines):
        return {"lines": lines}
    return {"text": text}


def part_of(headers, data):
    """A part of a form as a file has it, but for its files."""
    text, disposition = text_of(data), headers.get("content-disposition", "")
    part = dict(re.findall(r'[; ](name|filename)="((?:[^"\\]|\\.)*)"', disposition))
    part.update({"type": headers["content-type"]} if "content-type" in headers else {})
    kept = "content-(description|encoding|id|language|location|transfer-encoding)"
    kept = {name: value for name, value in headers.items() if re.fullmatch(kept, name)}
    if kept.get("content-transfer-encoding", "").lower() in ("7bit", "8bit", "binary"):
        del kept["content-transfer-encoding"]
    part.update({"headers": kept} if kept else {})
    return {**part, **({"base64": to_base64(data)} if text is None else {"text": text})}


def value_of(text):
    tree = tree_of(text)
    return text if tree is None else tree


def encoded(kind, item, how):
    """The bytes of an item of `lines` or `frames`; `how` has `layout` and `eol`."""
    as_text = lambda data: data if isinstance(data, str) else write(data, how.get("layout", {}))
    if kind == "lines":
        return (as_text(item) + how.get("eol", "\n") * isinstance(item, dict)).encode()
    if item.keys() == {"bytes"}:
        return from_base64(item["bytes"])
    data, of_event = item["data"], item.get("event", "")
    if "chunk" in item:
        data = {"bytes": to_base64(as_text(item["chunk"]).encode()), **data}
    three = {":event-type": of_event, ":content-type": "application/json", ":message-type": "event"}
    return frame(item.get("headers", three), as_text(data).encode())


# Texts: what is found in them, and what is put there


def finder(*expressions):
    """Finds `(expression, new)` in a text, the first and longest: a list of `(start, end, new)`."""

    def find(text):
        edits, place = [], 0
        while True:
            found = [(what.search(text, place), new) for what, new in expressions]
            found = [(at, new) for at, new in found if at and at.end() > at.start()]
            if not found:
                return edits
            at, new = min(found, key=lambda pair: (pair[0].start(), -pair[0].end()))
            edits.append((*at.span(), new(at) if callable(new) else new))
            place = at.end()

    return find


def whole_word(value, before="", after=""):
    return re.compile(rf"(?<![^\W_]){before}{re.escape(value)}(?![^\W_]){after}")


def edits_of(text, find):
    """What is found in a text; in one that is JSON, in its strings, keys and numbers."""
    if tree_of(text) is None:
        return find(text)
    edits = []
    for token in TOKEN.finditer(text):
        if token[0][0] != '"':
            new = change(Number(token[0]), find)
            edits += [] if new == Number(token[0]) else [(*token.span(), write(new))]
            continue
        units = [*UNIT.finditer(text, token.start() + 1, token.end() - 1)]
        inner = "".join(next(iter(parse(f'["{unit[0]}"]'))) for unit in units)
        for start, end, new in edits_of(inner, find):
            if isinstance(new, Number):
                edits.append((*token.span(), str(new)))
            else:
                edits.append((units[start].start(), units[end - 1].end(), write(new)[1:-1]))
    return edits


def edited(text, edits):
    """A text with other parts. One that is replaced as a whole may become a number."""
    if [edit[:2] for edit in edits] == [(0, len(text))]:
        return edits[0][2]
    for start, end, new in sorted(edits, reverse=True, key=lambda edit: edit[0]):
        text = text[:start] + str(new) + text[end:]
    return text


def change(value, find, left_out=()):
    """A value with all its texts changed, but for those at the keys that are left out."""
    if isinstance(value, dict):
        found = {}
        for key, part in value.items():
            is_left = key in left_out and isinstance(part, str)
            found[str(edited(key, find(key)))] = part if is_left else change(part, find, left_out)
        return found
    if isinstance(value, list):
        return [change(part, find, left_out) for part in value]
    if isinstance(value, Number):
        text = edited(str(value), find(str(value)))
        if re.fullmatch(r"\{\{[^}]+\}\}", text):
            return text[:-2] + ":number}}"
        return Number(text) if NUMBER.fullmatch(text) else text
    return edited(value, edits_of(value, find)) if isinstance(value, str) else value


def change_body(request, find):
    """A request with all texts of its body changed."""
    kinds = {kind: change(request[kind], find) for kind in {*Player.kinds} & {*request}}
    return {**request, **kinds}


def change_items(kind, items, find):
    """Items with their texts changed. Those that stream in pieces are one text."""
    pieces, groups = TABLES["streams"]["pieces"], {}
    changed = lambda of, names: {name: change(of[name], find, pieces) for name in names & of.keys()}
    if kind == "frames":
        items = [{**item, **changed(item, {"data", "chunk"})} for item in items]
    else:
        items = change(items, find, pieces)

    def collect(value, key):
        if isinstance(value, list):
            for part in value:
                collect(part, key)
        if isinstance(value, dict):
            numbers = [(name, value[name]) for name in value if INDEX.search(name)]
            key = (*key, *(pair for pair in numbers if isinstance(pair[1], Number)))
            for name, part in value.items():
                collect(part, (*key, name))
                if name in pieces and isinstance(part, str):
                    groups.setdefault((*key, name), []).append((value, name))

    for item in items:
        name, parts = None, [item]
        if kind == "frames":
            name, parts = item.get("event"), [item.get("data"), item.get("chunk")]
        elif isinstance(item, list) and len(item) == 2:
            name, parts = item[0], item[1:]
        for part in parts:
            of = part.get("type") if isinstance(part, dict) else None
            collect(part, (name, of if isinstance(of, str) else None))
    for group in groups.values():
        texts, end = [holder[name] for holder, name in group], 0
        edits = edits_of("".join(texts), find)
        if len(group) == 1:
            group[0][0][group[0][1]] = edited(texts[0], edits)
            continue
        for (holder, name), text in zip(group, texts):
            start, end = end, end + len(text)
            holder[name] = piece("".join(texts), edits, start, end)
    return items


def piece(text, edits, start, end):
    """A part of an edited text. What is new stands where what it replaces begins."""
    new, at = "", start
    for first, last, put in sorted(edits, key=lambda edit: edit[0]):
        if first < end and last > start:
            new += text[at:first] + str(put) * (first >= start)
            at = max(at, min(last, end))
    return new + text[at:end]


# Placeholders and parameters


def is_credential(value):
    """Whether the value of an environment variable or a header can be a credential."""
    is_mixed = len(value) >= 8 and re.search("[A-Za-z]", value) and re.search("[0-9]", value)
    plain = r"[+-]?[\d.]+(?:e[+-]?\d+)?|true|(?:[a-z][a-z0-9+.-]*:/|[a-z]:\\|\.{0,2}/|~).*"
    return bool(len(value) >= 16 or is_mixed) and not re.fullmatch(plain, value, re.I | re.S)


def names_credential(name):
    words = core.words_of(name)
    return bool(NAMES.search(words)) and not OTHER_NAMES.search(words)


def redacted(request, env):
    """A request with placeholders for the credentials of the environment and its own."""
    sent_with = [*request["headers"].items(), *parameters(urlsplit(request["url"]).query)]
    found = {}
    for name, value in sent_with:
        value = re.sub(r"^\S+ +", "", value) if name == "authorization" else value
        found.update({value: name.lower()} if names_credential(name) else {})
    found.update({env[name]: name for name in env if names_credential(name)})
    placeholders = [
        (re.compile(re.escape(value)), f"<REDACTED:{name}>")
        for value, name in found.items()
        if is_credential(value)
    ]
    find, headers = finder((PLACEHOLDER, "<REDACTED:="), *placeholders), request["headers"]
    headers = {name: edited(value, find(value)) for name, value in headers.items()}
    url = edited(request["url"], find(request["url"]))
    request = {**change_body(request, find), "url": url, "headers": headers}
    if "text" in request and "grant_type=" in request["text"] and "model=" not in request["text"]:
        fields = "|".join(TABLES["redacted"]["oauth"])
        hidden = re.sub(rf"(^|&)({fields})=[^&]+", r"\1\2=<REDACTED:\2>", request["text"])
        return {**request, "text": hidden}
    if isinstance(request.get("body"), dict):
        return {**request, "body": with_hidden_fields(request["body"])}
    return request


def with_hidden_fields(body):
    """A body without the credentials of servers of tools, and of OAuth's token requests."""
    places = TABLES["redacted"]["tool_servers"]
    if "grant_type" in body and "model" not in body:
        return hidden(body, TABLES["redacted"]["oauth"])
    body = dict(body)
    for path in places["in"]:
        name = path.removesuffix(".*")
        for place, item in enumerate(body[name] if isinstance(body.get(name), list) else []):
            if isinstance(item, dict) and (name != "tools" or item.get("type") in places["types"]):
                item, headers = hidden(item, places["fields"]), item.get(places["headers"])
                if isinstance(headers, dict):
                    item[places["headers"]] = hidden(headers, headers)
                body[name] = [*body[name][:place], item, *body[name][place + 1 :]]
    return body


def hidden(values, names):
    """An object with placeholders for the texts of some names."""
    is_hidden = lambda name: name in names and isinstance(values[name], str)
    new = {name: f"<REDACTED:{name.lower()}>" for name in values if is_hidden(name)}
    return {**values, **new}


def with_env(request, env):
    """A request in which a placeholder counts as its variable, where that holds no credential."""
    plain = {f"<REDACTED:{name}>": env[name] for name in env if not is_credential(env[name])}
    find = finder(*[(re.compile(re.escape(text)), value) for text, value in plain.items()])
    return change_body(request, find)


def with_parameters(request, params):
    """A request with `{{name}}` for the values of parameters."""
    names = "|".join(map(re.escape, params)) or "(?!)"
    escaped = re.compile(rf"\{{\{{(?==*(?:{names})(?::number)?\}}\}})")
    around = lambda value: [
        r"(?<!\d[.,])" * value[0].isdigit(),
        r"(?![.,]\d)" * value[-1].isdigit(),
    ]
    words = [(whole_word(of, *around(of)), f"{{{{{name}}}}}") for name, of in params.items() if of]
    return change_body(request, finder((escaped, "{{="), *words))


def values_of_run(params):
    """Finds the parameters of a response."""
    names = "|".join(map(re.escape, params)) or "(?!)"

    def value(at):
        if at[1]:
            return at[0].replace("=", "", 1)
        if not at[3]:
            return params[at[2]]
        return Number(params[at[2]]) if at.span() == (0, len(at.string)) else at[0]

    return finder((re.compile(rf"\{{\{{(=*)({names})(:number)?\}}\}}"), value))


# Volatile values


def rule_of(name):
    """A volatile rule of a test: an expression or a path."""
    if name in TABLES["volatile"]["rules"]:
        return expression(**TABLES["volatile"]["rules"][name])
    if re.fullmatch(r"\$(\.[^.\[\]]+|\[\*\])+", name):
        return tuple(key or 0 for key in re.findall(r"\.([^.\[\]]+)|\[\*\]", name))
    if not re.fullmatch(r"/.*/[a-z]*", name, re.S):
        raise Refused("unsupported")
    return expression(*name[1:].rsplit("/", 1))


def marked(form, rules, at_paths):
    """A canonical form with marks for what volatile rules find, and this by its numbers."""
    numbers, times = {}, TABLES["volatile"]["times"]
    number = lambda value: numbers.setdefault(value, len(numbers) + 1)

    def mark(name):
        if name in times:
            return f"\0volatile:{name}\0"
        return lambda at: f"\0volatile:{name}:{number(at[0])}\0"

    find = finder(*[(rule, mark(name)) for name, rule in rules if not isinstance(rule, tuple)])

    def value(of, path):
        for name, rule in rules:
            if rule == path:
                spelled = of if isinstance(of, str) else write(of)
                at_paths.add(spelled)
                return f"\0volatile:{name}:{TYPE_NAMES[type(of)]}{number(spelled)}"
        if isinstance(of, list):
            return [value(part, (*path, 0)) for part in of]
        if isinstance(of, dict):
            found = {}
            for key, part in of.items():
                is_left = NOT_IN_FIELDS.search(key)
                found[edited(key, find(key))] = part if is_left else value(part, (*path, key))
            return {key: found[key] for key in sorted(found, key=utf16)}
        return of if isinstance(of, str) and of.startswith("\0call:") else change(of, find)

    form = dict(form)
    for member in ("path", "query", *Player.kinds):
        if member in form:
            form[member] = value(form[member], () if member == "body" else (member,))
    return form, {number: value for value, number in numbers.items()}


def matches(stored, form, texts):
    """Whether a form is the recorded one, in which some texts stand for any."""
    texts = "|".join(re.escape(write(text)[1:-1]) for text in texts) or "(?!)"
    parts = [re.escape(part) for part in re.split(texts, write(stored))]
    return re.fullmatch(r'(?:[^"\\]|\\.)*'.join(parts), write(form)) is not None


def in_order(value):
    """A body with its keys sorted, where the order is not known."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value, key=utf16)}
    return [in_order(part) for part in value] if isinstance(value, list) else value


def mcp_message(message):
    """What counts of a message to an MCP server."""
    message = {name: message[name] for name in message if name not in ("id", "jsonrpc")}
    params, dropped = message.get("params"), TABLES["mcp"]["dropped"]
    if isinstance(params, dict) and message.get("method") == "initialize":
        message["params"] = {name: params[name] for name in params if name == "capabilities"}
    elif isinstance(params, dict) and isinstance(params.get("_meta"), dict):
        names, prefix = dropped["_meta"], dropped["_meta_prefix"]
        meta = {name: of for name, of in params["_meta"].items() if name not in names}
        meta = {name: of for name, of in meta.items() if not name.startswith(prefix)}
        others = {name: value for name, value in params.items() if name != "_meta"}
        message["params"] = {**others, "_meta": meta} if meta else others
    return message


class Player(core.Player):
    """Plays a file of both pages."""

    methods = [*core.Player.methods, "HEAD", "OPTIONS", "GET", "SEND", "CALL"]
    schemes = ["http", "https", "ws", "wss", "mcp", "local"]
    kinds = ["body", "text", "lines", "frames", "form", "bytes"]
    bodies = ["body", "text", "base64", "file", "form", "lines", "frames", "events"]
    members = {
        kind: {**MEMBERS["members"].get(kind, {}), **MEMBERS["values"].get(kind, {})}
        for kind in [*MEMBERS["members"], *MEMBERS["values"]]
    }

    def __init__(self, data, options={}, blobs={}):
        self.rules = [(name, rule_of(name)) for name in options.get("volatile", [])]
        self.params = {name: str(value) for name, value in options.get("params", {}).items()}
        self.env, self.sample = options.get("env", {}), int(options.get("sample", 1))
        self.pairs, self.back, self.hashes, self.by_id, self.at_paths = {}, {}, [], {}, set()
        super().__init__(data, options, blobs)
        self.undeclared = {*self.file.get("params", {})} - {*self.params}
        self.of_sample = [one for one in self.exchanges if int(one.get("sample", 1)) == self.sample]

    # The file

    def prepare(self, exchange):
        if "<REDACTED:rule." in write(exchange):
            raise Refused("unsupported")  # No case has rules of a user
        self.by_id[exchange["id"]] = exchange
        File.prepare(self, exchange)

    def count(self, exchange):
        """The canonical form of a recorded request."""
        asked = exchange["asked"]
        if not asked:
            return
        request = {"method": asked["method"], "url": asked["url"], **self.content(asked)}
        request["headers"] = asked.get("headers", {})
        if asked["method"] == "SEND" and "after" in asked:
            request["after"] = self.by_id[asked["after"]]["hash"][:22]
        request = with_env(request, self.env)
        if "respelled" in asked.get("imported", {}):
            request = in_order(request)
        exchange["form"], exchange["values"] = self.marked(request, {})
        exchange["exact"] = self.marked(request, None)[0]
        exchange["hash"] = hash_of(write(exchange["form"]))
        is_empty = not {*self.kinds} & {*request}
        exchange["is_poll"] = request["method"] == "GET" and is_empty and not is_socket(request)

    def resolve(self, value, own, place=(), like=None):
        if isinstance(value, dict) and value.keys() - {"before"} == {"$file"}:
            return value.get("before", "") + to_base64(self.blob(value["$file"]))
        return super().resolve(value, own, place, like)

    def blob(self, name):
        """The content of a file beside the cassette."""
        is_name = re.fullmatch(r"[0-9a-f]{64}\.[a-z0-9]{2,5}", name)
        if not is_name or hashlib.sha256(self.blobs.get(name, b"")).hexdigest() != name[:64]:
            raise Refused("file")
        return self.blobs[name]

    def content(self, asked):
        """The body of a recorded request, as it stands in the canonical form."""
        if "form" in asked:
            return {"form": [self.part(part) for part in asked["form"]]}
        return (
            {"body": asked["body"]} if "body" in asked else content_of(joined(self.chunks(asked)))
        )

    def part(self, part):
        """A part of a form, as it stands in the canonical form."""
        if "text" in part:
            return {**part, "text": "".join(part["text"])}
        others = {name: part[name] for name in part if name not in ("base64", "file")}
        return {**others, "base64": to_base64(self.bytes_of(part))}

    def bytes_of(self, holder):
        return from_base64(holder["base64"]) if "base64" in holder else self.blob(holder["file"])

    # Requests

    def form(self, request, calls):
        form = {**super().form(request, calls), "after": request.get("after")}
        return {name: form[name] for name in sorted(form) if form[name] is not None}

    def marked(self, request, calls):
        return marked(self.form(request, calls), self.rules, self.at_paths)

    def line(self, name, value, url):
        reading, items = core.reading_of(name), re.split(r"\s*,\s*", value)
        if reading == "host":
            same = self.endpoint(value) == self.endpoint(urlsplit(url).netloc)
            return not same and f"{name}: {self.endpoint(value)}"
        value = ", ".join(sorted({*items} - {""})) if reading == "set" else value
        return value and f"{name}: {value}" if reading != "text" else super().line(name, value, url)

    def asked(self, request, data):
        method, url, headers = request["method"], request["url"], by_name(request["headers"])
        try:
            content = content_of(
                decoded(data, headers.get("content-encoding", "")), headers.get("content-type", "")
            )
            if url.startswith("mcp:") and isinstance(content.get("body"), dict):
                content = {"body": mcp_message(content["body"])}
            found = {"method": method, "url": url, "headers": headers, **content}
            if method == "SEND" and "after" in request:
                found["after"] = self.hashes[request["after"]][:22]
            found = with_parameters(redacted(found, self.env), self.params)
            found["headers"] = {name: as_stored(name, of) for name, of in found["headers"].items()}
            self.form(found, {})
            return with_env(found, self.env)
        except ValueError:
            raise Refused("unsupported")

    # Which exchange answers

    def ask(self, request, data):
        self.hashes.append(None)
        request = self.asked(request, data)
        hash = self.hashes[-1] = hash_of(write(self.marked(request, {})[0]))
        if self.undeclared:
            raise Refused("params")
        if not self.of_sample and self.sample > 1:
            raise Refused("sample")
        try:
            exchange = self.find(request)
        except Refused:
            back = [(whole_word(new), old) for old, new in self.back.items()]
            again = change_body(request, finder(*back))
            try:
                exchange = self.find(again) if again != request else None
            except Refused:
                exchange = None
            if not exchange:
                raise
            self.hashes[-1] = hash_of(write(self.marked(again, {})[0]))
        exchange["played"] += 1
        return {**self.answer(exchange), "hash": hash}

    def find(self, request):
        """The exchange that answers."""
        form, values = self.marked(request, {})
        found = [one for one in self.of_sample if self.is_asked(one, request, form)]
        left = [one for one in found if not one["played"]]
        if found and not left and found[-1]["is_poll"]:
            left = found[-1:]
        ready = [one for one in left if self.pairs_with(one, values) is not None]
        if left and not ready:
            raise Refused("volatile")
        open_ids = [one["id"] for one in self.exchanges if not self.is_done(one)]
        ready = [one for one in ready if one["asked"].get("after") not in open_ids]
        if left and not ready:
            raise Refused("turn")
        exact = self.marked(request, None)[0]
        ready.sort(key=lambda one: one["exact"] != exact)
        if not left:
            by_hand = [one for one in self.of_sample if not one["asked"]]
            found += [one for one in by_hand if self.is_meant(one["prompt"], request, form)]
            ready = [one for one in found if not one["played"]]
        if not ready:
            raise Refused("played" if found else "unmatched")
        self.pairs = self.pairs_with(ready[0], values)
        return ready[0]

    def is_asked(self, exchange, request, form):
        """Whether the request of an exchange is that which is asked."""
        imported = exchange["asked"].get("imported")
        if imported is None:
            return exchange.get("form") == form
        unknown = imported.get("unknown", [])
        left_out = [name for one in unknown for name in UNKNOWN.get(one, [one])]
        form = self.marked(in_order(request), {})[0] if "respelled" in imported else form
        known = lambda form: {name: form[name] for name in form if name not in left_out}
        return "body" not in unknown and matches(
            known(exchange["form"]), known(form), imported.get("redacted", [])
        )

    def pairs_with(self, exchange, values):
        """All pairs of volatile values with those of an exchange; None if they contradict."""
        recorded, pairs = exchange.get("values", {}), dict(self.pairs)
        for number in recorded.keys() & values.keys():
            old, new = recorded[number], values[number]
            new = self.back.get(old, new) if old == new else new
            if pairs.setdefault(old, new) != new:
                return None
        return pairs if len({*pairs.values()}) == len(pairs) else None

    def is_done(self, exchange):
        """Whether it was played, or is a poll of which another answer was."""
        polls = [one for one in self.of_sample if one.get("is_poll") and one["played"]]
        is_polled = exchange.get("is_poll") and exchange["form"] in [one["form"] for one in polls]
        return bool(exchange["played"] or is_polled)

    def unused(self):
        left = [] if self.undeclared else self.of_sample
        return [one["id"] for one in left if not self.is_done(one)]

    # Responses

    def answer(self, exchange):
        sent = exchange["sent"]
        is_word = lambda of: re.fullmatch(
            r"(?![\[{])(?=.*\d).{4,}" if of in self.at_paths else r"(?!\d{,3}$)..+", of
        )
        pairs = {old: new for old, new in self.pairs.items() if is_word(old) and is_word(new)}
        placeholders = finder((PLACEHOLDER_OF_DATA, "<REDACTED:"))
        volatile = finder(*[(whole_word(old), new) for old, new in pairs.items()])
        for find in (placeholders, values_of_run(self.params), volatile):
            if "body" in sent:
                sent = {**sent, "body": change(sent["body"], find)}
            if "text" in sent:
                sent = {**sent, "text": str(change("".join(sent["text"]), find))}
            for kind in {"events", "lines", "frames"} & {*sent}:
                sent = {**sent, kind: change_items(kind, sent[kind], find)}
        texts = write([sent.get(kind) for kind in self.bodies])
        for old, new in pairs.items():
            self.back.update({old: new} if old != new and write(new)[1:-1] in texts else {})
        answer = super().answer({**exchange, "sent": sent})
        if "cut" in sent:
            answer["cut"] = True
        if "aborted" in sent:
            is_count = isinstance(sent["aborted"], Number)
            answer["aborted"] = int(sent["aborted"]) if is_count else sent["aborted"]
            answer["chunks"] = answer["chunks"][: answer["aborted"] if is_count else 0]
        return answer

    def chunks(self, sent):
        for kind in {"lines", "frames"} & {*sent}:
            return [encoded(kind, item, sent) for item in sent[kind]]
        has_bytes = {"base64", "file"} & {*sent}
        return [self.bytes_of(sent)] if has_bytes else super().chunks(sent)

    # Hashes

    def edited(self):
        """What was changed since the hashes and the seal were written."""
        data = self.data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
        seal = hash_of(data.rpartition(b'"seal"')[0])
        found = ["seal"] if self.file.get("seal", seal) != seal else []
        hashes = [hash.split(".") for hash in self.file.get("hashes", [])]
        if "hashes" in self.file and len(hashes) != len(self.exchanges):
            return [*found, "hashes"]
        digest = lambda name: "re:" + sha256(name[1:])[:12] if name[0] == "/" else name
        is_counted = self.file.get("rules") == [
            Number("1"),
            *(digest(name) for name, _ in self.rules),
        ]
        for exchange, given in zip(self.exchanges, hashes):
            own = [exchange.get("hash", ""), hash_of(self.raw(exchange["asked"]))]
            own.append(hash_of(write(exchange["response"])))
            given = given if is_counted else ["", "", given[2]]
            given[1] = "" if self.rules else given[1]  # It would have their marks
            if any(hash not in ("", of[:22]) for hash, of in zip(given, own)):
                found.append(exchange["id"])
        return found

    def raw(self, asked):
        """The text of the raw hash."""
        if not asked:
            return b""
        _, host, path, query, _ = urlsplit(asked["url"])
        kept = [one for one in query.split("&") if one]
        kept = [one for one in kept if not core.is_credential(*parameters(one)[0])]
        first = f"{asked['method']} {self.host(host)}{path}" + "?" * bool(kept) + "&".join(kept)
        lines = self.headers(asked.get("headers", {}), asked["url"])
        chunks = [asked["as_sent"]] if "as_sent" in asked else self.chunks(asked)
        return "\n".join([first, *lines, ""]).encode() + b"\n" + joined(chunks)


def as_stored(name, value):
    """The value of a header as a file has it: without credentials."""
    reading = core.reading_of(name)
    if reading == "protocols":
        items = re.split(r"\s*,\s*", value)
        return ", ".join(item for item in items if not PLACEHOLDER.search(item))
    if reading == "address" and "://" in value:
        return urlsplit(value).hostname + urlsplit(value).path
    is_digest = value and reading in ("address", "digest")
    return "digest " + sha256(value)[:12] if is_digest else value


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def joined(chunks):
    return b"".join(one if isinstance(one, bytes) else one.encode() for one in chunks)


def is_socket(request):
    return request["url"].lower().startswith(("ws:", "wss:"))


if __name__ == "__main__":
    run(Player, "values")
