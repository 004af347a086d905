"""A player of cassettes of page 1 of the format, which refuses what is of page 2 as `unsupported`.

`python3 core.py CASE...` prints a line of JSON for each test case.
"""

import base64, dataclasses, decimal, gzip, hashlib, json, re, sys, uuid  # noqa: E401
from pathlib import Path
from urllib.parse import unquote_plus

TABLES = json.loads(Path(__file__).with_name("tables.json").read_text("utf-8"))
REASONS = ["json", "version", "unsupported", "field", "ids", "reference", "body"]
S = r'"(?:[^"\\]|\\.)*"'  # The JSON of a string; `T` is that of a text, perhaps a list of strings
T = rf"(?:{S}|\[(?:{S},?)*\])"
TIME = r'"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"'
# Of each kind of object: the JSON of a member matches an expression, or is of a kind (`*`: a list)
MEMBERS = rf"""
file $schema?={S} version={S} conversation_id={T} invalid?=invalid exchanges=*exchange
    timestamp={TIME} oldest_answer?={TIME} rules?=\[.* hashes?=\[({S},?)*\] seal?={S}
invalid reason={T} since={TIME}
exchange id?="[\w-]+" prompt=prompt request?=request response=response
prompt text={T} metadata?=\{{.* hash?={S}
request method={S} url=["{{].* headers?=\{{({S}:{T},?)*\}} after?={S} body?=[\[{{].*
    layout?=layout as_sent?={S}
response text?={T} reasoning?={T} tool_calls?=*call finish_reasons?=\[({S},?)*\] usage?=usage
    error?={T} status?=[45]\d\d incomplete?=true kept?=true mocked?=true duration_ms?=\d+ sent?=sent
call tool_name={S} parameters?=.* result?=.*
usage input_tokens?=\d+ output_tokens?=\d+ cache_read_input_tokens?=\d+
    cache_creation_input_tokens?=\d+ reasoning_output_tokens?=\d+
sent status=[2-5]\d\d headers=\{{({S}:{T},?)*\}} renewed?=\[.* body?=.* events?=\[.* text?={T}
    layout?=layout named?=true eol?="(\\r)?\\n"
layout indent?=[1-8] spaced?=true ascii?=true end?="(\x20|\\[rnt])*"
"""
KINDS = {line.split()[0]: line.split()[1:] for line in re.split(r"\n(?=\w)", MEMBERS.strip())}
KINDS = {kind: dict(part.split("=", 1) for part in parts) for kind, parts in KINDS.items()}
SIMPLE = r"(?:(?:application/json|text/event-stream|\*/\*|)(?: *; *(?:q|charset)=[^,;]*)*[ ,]*)*"
HOST = r"https?://(?:[^/?#@]*@)?([\w.-]+|\[::1?\])(?::\d*)?"
ADDRESS = HOST + r"((?:/[\w.~!$&'()*+,;=:@%-]*)*)(?:\?([^#]*))?(?:#.*)?"
MARK = f"\ue000{uuid.uuid4()}"
Number = dataclasses.make_dataclass("Number", ["spelled"], frozen=True)  # keeps its spelling


class Refused(Exception):
    """Its argument is the reason."""


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


def hash_of(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


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


def resolve(value, sources, like=None, place=()):
    """A value with what its markers stand for."""
    if isinstance(value, list):
        items = []
        for item in value:
            if isinstance(item, dict) and "$items" in item:
                found = at(sources[item.get("$of", like) + "/"], place)
                items += part_of(found, *[end.spelled for end in item["$items"]])
            else:
                items.append(resolve(item, sources, like, (*place, len(items))))
        return items
    if not isinstance(value, dict):
        return value
    if "$" in value:
        return source(value["$"], sources)
    if "$join" in value:
        texts = [resolve(text, sources) for text in value["$join"]]
        text = "".join(text.spelled if isinstance(text, Number) else text for text in texts)
        return utf16(text).decode("utf-16-be", "surrogatepass")
    like = value.get("$like", like)
    members = sources[like + "/"].items() if "$like" in value else ()
    members = {key: item for key, item in members if key not in value.get("$without", [])}
    for key in [key for key in value if key not in ("$like", "$without")]:
        name = re.sub(r"^\$(?=\$+(join|like|without|items|of|each|file)?$)", "", key)
        members[name] = resolve(value[key], sources, like, (*place, name))
    return members


def size(value, known):
    """The length of a value as compact JSON. What stands in several places is measured once."""
    if not isinstance(value, (dict, list)):
        return len(value) + 2 if isinstance(value, str) else 5
    if id(value) not in known:
        keys = value if isinstance(value, dict) else []
        known[id(value)] = 2 + sum(size(part, known) + 1 for part in [*keys, *parts_of(value)])
    return known[id(value)]


def expand(item):
    """The events for which an item with `$each` stands."""
    lengths = set()

    def pick(value, place):
        if isinstance(value, dict) and "$each" in value:
            if not isinstance(value["$each"], list) or {*map(type, value["$each"])} - {str, Number}:
                raise Refused("body")
            lengths.add(len(value["$each"]))
            return value["$each"][place]
        if isinstance(value, dict):
            return {key: pick(part, place) for key, part in value.items()}
        return [pick(part, place) for part in value] if isinstance(value, list) else value

    try:
        first = pick(item, 0)
        return [first, *[pick(item, place) for place in range(1, max(lengths, default=1))]]
    except (LookupError, TypeError):
        raise Refused("body")


def chunks(sent):
    """The texts that are sent one after the other."""
    layout, eol, texts = sent.get("layout", {}), sent.get("eol", "\n"), []
    as_json = lambda value: write(value, layout) + layout.get("end", "")
    for item in sent.get("events", []):
        name = item.get("type") if isinstance(item, dict) and "named" in sent else None
        is_list = isinstance(item, list) and 1 <= len(item) <= 2 and isinstance(item[0], str)
        if is_list and len(item) == 1:
            texts += item
            continue
        name, item = item if is_list else (name, item)
        if not isinstance(item, (str, dict)):
            raise Refused("body")
        data = item if isinstance(item, str) else as_json(item)
        texts.append(f"event: {name}{eol}" * isinstance(name, str) + f"data: {data}{eol}{eol}")
    texts += [as_json(sent["body"])] if "body" in sent else []
    return texts + (["".join(sent["text"])] if "text" in sent else [])


# What counts of a request


def address_of(url):
    """Endpoint, path and query, of a URL that the URL standard leaves as it is."""
    found, names, pairs = re.fullmatch(ADDRESS, url, re.ASCII | re.I), TABLES["endpoints"], []
    if not found or re.search(r"/(?:\.|%2e){1,2}(?:/|$)", found[2], re.I):
        raise Refused("unsupported")
    local = r"127(\.\d+){3}|0\.0\.0\.0|\[::1?\]"
    host = re.sub(rf"^(?:{local})$", "localhost", found[1].lower())
    others = [one["endpoint"] for one in names["patterns"] if re.search(one["hosts"], host)]
    for parameter in filter(None, (found[3] or "").split("&")):
        decoded = unquote_plus(parameter.replace("=", "\0", 1), errors="replace")
        name, _, value = decoded.partition("\0")
        words = re.sub("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name).lower()
        words = re.sub("[^a-z]+", " ", words).strip()
        if words == "code" or re.search("[%=]", name) or "\ufffd" in decoded:
            raise Refused("unsupported")
        is_signed = re.search(TABLES["query"]["signed"]["source"], name, re.I | re.ASCII)
        if not is_signed and not re.search(TABLES["query"]["credential"]["source"], words):
            pairs.append((name, value))
    query = ["=".join(pair) for pair in sorted(pairs, key=lambda pair: utf16(pair[0]))]
    endpoint = names["hosts"].get(host, (others + [host])[0])
    return {"endpoint": endpoint, "path": found[2] or "/", "query": query}


def headers_of(headers):
    """Those that count, as a list. One to which page 2 does more than to trim it is unsupported."""
    lines = []
    for name, value in [(name.lower(), value) for name, value in headers.items()]:
        values = [value] if isinstance(value, str) else value
        value = ", ".join(line.strip(" \t") for line in values)
        is_simple = name in ("accept", "content-type") and re.fullmatch(SIMPLE, value.lower())
        if value and not is_simple and re.search(TABLES["headers"]["counting"], name, re.ASCII):
            readings = [of for names, of in TABLES["headers"]["readings"] if re.search(names, name)]
            if readings[:1] not in ([], ["text"]):
                raise Refused("unsupported")
            lines.append(f"{name}: {value}")
    return sorted(lines, key=utf16)


# Where ids of tool calls are: paths, in which 0 is any item of a list, with expressions for types
PLACES = {}
for root in ["", *(root + "." for root in TABLES["call_roots"])]:
    for path, *types in TABLES["calls"]:
        keys = tuple(0 if key == "*" else key for key in (root + path).split("."))
        PLACES.setdefault(keys, []).append([*types, "", "(?!)"][:2] if types else ["", "(?!)"])


def number(spelled):
    """A number as ECMAScript writes its double, or a text where that would lose digits."""
    double = float(spelled)
    text = repr(double) if double else "0"
    if 1e-6 <= abs(double) < 1e21:
        text = re.sub(r"\.0$", "", format(decimal.Decimal(text), "f"))
    text = re.sub(r"(?:\.0)?e([+-])0?", r"e\1", text)
    is_lost = abs(double) > 2**53 - 1 and text != spelled
    return f"\0number:{spelled.lower()}" if is_lost else Number(text)


def canonical(value, calls, path=(), kind=""):
    """The canonical form of a part of a body. `calls` has the numbers of ids; None leaves them."""
    if isinstance(value, Number):
        return number(value.spelled)
    if isinstance(value, list):
        return [canonical(item, calls, (*path, 0)) for item in value]
    if isinstance(value, dict):
        kind, form = value["type"] if isinstance(value.get("type"), str) else "", {}
        for key in sorted(value, key=utf16):
            form[key] = canonical(value[key], calls, (*path, key), kind)
            if key in ("properties", "parameter_definitions") and isinstance(value[key], dict):
                whole = lambda name: re.fullmatch("0|[1-9][0-9]*", name) and int(name) < 2**32 - 1
                names = sorted(value[key], key=lambda name: int(name) if whole(name) else 2**32)
                form[key] = [[name, form[key][name]] for name in names]
        return form
    for types, far in PLACES.get(path, []) if isinstance(value, str) and calls is not None else []:
        if re.search(types, kind, re.ASCII) and (value in calls or not re.search(far, kind)):
            return f"\0call:{calls.setdefault(value, len(calls) + 1)}"
    return "\0" + value if isinstance(value, str) and value.startswith("\0") else value


def forms_of(method, url, headers, body):
    """The canonical form of a request, and the same with its ids of tool calls."""
    if method not in ("POST", "PUT", "PATCH", "DELETE"):
        raise Refused("unsupported")
    form = {"method": method, **address_of(url), "headers": headers_of(headers)}
    form = {key: value for key, value in form.items() if value != []}
    bodies = [{} if body is None else {"body": canonical(body, calls)} for calls in ({}, None)]
    return [write(dict(sorted({**form, **body}.items()))) for body in bodies]


# The file


def read(text):
    """The file and its exchanges, which get `id`, `forms`, `sent` and `chunks`."""
    try:
        if len(text.encode()) > 32 * 2**20:
            raise ValueError("too large")
        file, found = parse(text.removeprefix("\ufeff") if text else text), set()
    except (ValueError, RecursionError):
        raise Refused("json")
    exchanges = file.get("exchanges") if isinstance(file, dict) else None
    exchanges = [dict(one) for one in parts_of(exchanges) if isinstance(one, dict)]
    majors = "2" if any("request" in one for one in exchanges) else "[12]"
    version = file.get("version") if isinstance(file, dict) else None
    if isinstance(version, str) and not re.fullmatch(rf"{majors}\.[0-9]+", version):
        raise Refused("version")
    check(file, "file", found)
    found |= {"unsupported"} if "<REDACTED:" in text else set()
    if "field" in found:
        raise Refused(min(found, key=REASONS.index))
    sources, sizes, total = {}, {}, 0
    for place, exchange in enumerate(exchanges):
        exchange["id"] = exchange.get("id", f"exchange-{place + 1}")
        request, response = exchange.get("request", {}), exchange["response"]
        sent = exchange["sent"] = dict(response.get("sent", {}))
        is_by_hand = not ("request" in exchange and sent)
        has_text = {*response} & {"text", *["tool_calls", "error"] * is_by_hand}
        if not has_text or len({*sent} & {"body", "events", "text"}) > 1:
            found.add("field")
        if exchange["id"] + "/" in sources:
            found.add("ids")
        body, events = request.get("body"), sent.get("events", [])
        like = [{*body}, {"$items"}, {"$items", "$of"}] if "$like" in (body or ()) else []
        for part, more in [
            (body, like),
            ([request.get("url"), sent.get("body")], []),
            (events, [{"$each"}]),
        ]:
            if any(mark not in [{"$"}, {"$join"}, *more] for mark in marked(part)):
                found.add("unsupported")
        own = {**sources, "prompt": exchange["prompt"]["text"]}
        try:
            body, url = resolve(body, own), resolve(request.get("url", ""), own)
            new = {str(place): value for place, value in enumerate(sent.get("renewed", []))}
            new.update(prompt=own["prompt"], text=response.get("text", ""))
            own.update({"/": body, **new})
            if "body" in sent:
                sent["body"] = resolve(sent["body"], own)
            if events:
                sent["events"] = [resolve(one, own) for item in events for one in expand(item)]
            total += sum(size(part, sizes) for part in (body, sent.get("body"), sent.get("events")))
            if total > 2**29:
                raise ValueError("too large")
            if "after" in request:
                sources[request["after"] + "/"]
            if "request" in exchange:
                exchange["forms"] = forms_of(
                    request["method"], url, request.get("headers", {}), body
                )
            sources.update({f"{exchange['id']}.{name}": value for name, value in new.items()})
            sources[exchange["id"] + "/"] = body
        except Refused as refused:
            found.add(refused.args[0])
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            found.add("reference")
    if found:
        raise Refused(min(found, key=REASONS.index))
    for exchange in exchanges:
        exchange["chunks"] = chunks(exchange["sent"])
    return file, exchanges


def edited(file, exchanges, text):
    """What was changed since the hashes and the seal were written."""
    before = text.removeprefix("\ufeff").replace("\r\n", "\n").rpartition('"seal"')[0]
    found = ["seal"] if text and "seal" in file and hash_of(before) != file["seal"] else []
    hashes = [hash.split(".") for hash in file.get("hashes", [])]
    if "hashes" in file and len(hashes) != len(exchanges):
        return [*found, "hashes"]
    for place in (2, 0) if file.get("rules") == [Number("1")] else (2,):
        for exchange, hash in zip(exchanges, hashes):
            own = write(exchange["response"]) if place else exchange.get("forms", [""])[0]
            if hash[place] not in ("", hash_of(own)[:22]):
                found += {exchange["id"]} - {*found}
    return found


# A test


def body_of(request):
    """The JSON that a client sends, or None."""
    data = base64.b64decode(request.get("base64", "")) or request.get("body", "").encode()
    headers = {name.lower(): value for name, value in request.get("headers", {}).items()}
    try:
        coding = headers.get("content-encoding", "identity")
        data = {"gzip": gzip.decompress, "identity": bytes}[coding](data)
        body = parse(data.decode("utf-8")) if data else None
    except (LookupError, ValueError, OSError, EOFError):
        raise Refused("unsupported")
    is_known = not data or isinstance(body, (dict, list))
    if not is_known or "<REDACTED:" in str([request["url"], headers, data]):
        raise Refused("unsupported")
    return body


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
        is_same = len(prompt["hash"]) >= 22 and hash_of(form).startswith(prompt["hash"])
    else:
        is_same = question == trimmed("".join(prompt["text"]))
    has = canonical({**body, "provider": parse(form)["endpoint"]}, None)
    metadata = canonical(prompt.get("metadata", {}), None)
    return is_same and all(name in has and has[name] == value for name, value in metadata.items())


def answer(request, exchanges, played):
    """The exchange that answers a request, and the canonical form of that."""
    body = body_of(request)
    forms = forms_of(request["method"], request["url"], request.get("headers", {}), body)
    found = [one for one in exchanges if one.get("forms", [""])[0] == forms[0]]
    left = [one for one in found if one["id"] not in played]
    ready = [one for one in left if one["request"].get("after") in [None, *played]]
    ready = [one for one in ready if one["forms"] == forms] or ready
    by_hand = [one for one in exchanges if "request" not in one]
    if (by_hand and not left) or (ready and not ready[0]["sent"]):
        path = parse(forms[0])["path"]
        if not path.endswith(("/chat/completions", "/v1/messages")) or body.get("stream") is True:
            raise Refused("unsupported")
        found += [] if left else [one for one in by_hand if is_meant(one, body, forms[0])]
        ready = ready or [one for one in found if one["id"] not in played]
    if not ready:
        raise Refused("turn" if left else "played" if found else "unmatched")
    played.append(ready[0]["id"])
    return ready[0], forms[0]


def outcome(request, exchanges, played):
    """What is printed for a request."""
    try:
        exchange, form = answer(request, exchanges, played)
    except Refused as refused:
        return {"refused": refused.args[0]}
    said, sent, texts = {"exchange": exchange["id"]}, exchange["sent"], exchange["chunks"]
    if not sent:
        return {**said, "written": True}
    said.update(hash=hash_of(form), status=int(sent["status"].spelled), headers=sent["headers"])
    pieces = {"pieces": [len(text.encode()) for text in texts]} if len(texts) > 1 else {}
    return {**said, "body": "".join(texts), **pieces}


def play(case):
    """What is printed for a case. Options of a test, but for its environment, are of page 2."""
    if {*case.get("options", {})} - {"env"}:
        return {"unreadable": "unsupported"}
    try:
        file, exchanges = read(case["file"] if "file" in case else write(case["cassette"]))
    except Refused as refused:
        return {"unreadable": refused.args[0]}
    expect, played = [], []
    for request in case.get("requests", []):
        expect.append(outcome(request, exchanges, played))
        if expect[-1].get("refused") == "unsupported":
            break
    unused = [one["id"] for one in exchanges if one["id"] not in played]
    edits = edited(file, exchanges, case.get("file", ""))
    return {"expect": expect, "unused": unused, "edited": edits}


if __name__ == "__main__":
    sys.setrecursionlimit(20000)
    for path in sys.argv[1:]:
        print(json.dumps(play(parse(Path(path).read_text("utf-8")))))
