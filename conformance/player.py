"""A player of cassettes that does what docs/format.md says, with nothing but the standard library of Python 3.9 or newer.

    python3 conformance/player.py [case.json …]     plays cases, by default all of conformance/cases

It refuses by name what it cannot do: content codings but gzip and deflate, forms and frames in requests, and rules that
Python's expressions cannot express. It replaces values in whole texts, not in those that stream in pieces.
"""
import base64, glob, gzip, os, re, sys, zlib
from urllib.parse import parse_qsl, quote, urlsplit

import cassette
from cassette import HERE, NUL, TABLES, Num, Refused, es_number, has_twice, is_text, parse, sha256, utf16, write, write_in

LEAST = 1_024


class Unsupported(Exception):
    """This player cannot do what another one can."""


class Request:
    """What counts of a request. `before` is the one before it on the same socket."""

    def __init__(self, method, url, headers, kind, content, before=None, older=False, imported=None):
        self.method, self.url, self.headers, self.kind, self.content = method, url, headers, kind, content
        self.before, self.older, self.imported = before, older, imported

    def having(self, **changed):
        return Request(**{**self.__dict__, **changed})

    def without_headers(self):
        kept = {name: value for name, value in (self.headers or {}).items() if name in TABLES["headers"]["names_a_model"]}
        return self.having(headers=kept or None, before=self.before and self.before.without_headers())


# A request as it is sent


def is_credential(name):
    if re.fullmatch("x-(amz|goog)-(algorithm|content-sha256|credential|date|expires|security-token|signature|signedheaders)", name, re.I):
        return True
    words = [word for word in re.split("[^a-z]+", re.sub("([a-z])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])", r"\1\2 ", name).lower()) if word]
    if len(words) > 2 and words[-2:] == ["key", "id"]:
        words.pop()
    query, last, before = TABLES["query"], words[-1] if words else "", words[-2] if len(words) > 1 else None
    if last in query["credential"] or re.fullmatch("(%s)(key|secret|token)" % "|".join(query["opening"]), last):
        return True
    return last in query["ambiguous"] and (before is None or before in query["opening"]) or words == ["code"]


def kept_url(url):
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    is_other = lambda name, value: name.lower() == "code" and not (parts.hostname or "").endswith(".azurewebsites.net") and (len(value) < 20 or re.search(r"\s", value))
    kept = [(name, value) for name, value in pairs if name.lower() in TABLES["query"]["kept"] or not is_credential(name) or is_other(name, value)]
    return (parts.scheme, parts.hostname or "", parts.path or ("/" if parts.scheme != "mcp" else ""), kept)


def digest(text):
    return sha256(text)[:12]


def read_set(value):
    return ", ".join(sorted({name.strip() for name in value.split(",")} - {""}, key=utf16))


USUAL = r"\*/\*|multipart/.*|text/(plain|json)|application/(([\w.-]+\+)?json|octet-stream|x-www-form-urlencoded|x-ndjson|json-?l(ines)?)"


def read_formats(value):
    formats = set()
    for one in value.lower().split(","):
        kind, *rest = [part.strip() for part in one.split(";")]
        rest = sorted(part for part in rest if part and not re.match("(q|charset|boundary)=", part))
        if re.fullmatch(r"[\w.+-]+/[\w.+-]+", kind) and not re.fullmatch(USUAL, kind):
            formats.add(";".join([kind, *rest]))
    return ", ".join(sorted(formats))


def read_header(reading, value):
    if reading in ("set", "lower-case set"):
        return read_set(value if reading == "set" else value.lower())
    if reading == "accepted":
        only = re.sub(" *; *(q|charset)=[^;]*", "", value.lower()).strip()
        if "," not in value and re.fullmatch(r"text/plain|application/(x-ndjson|json-?l(ines)?|.+\+json|json *;.*)", only):
            return only
    if reading in ("accepted", "formats"):
        return read_formats(value)
    if reading == "address" and urlsplit(value).hostname:
        host = urlsplit(value).hostname
        return ("localhost" if re.fullmatch(r"127(\.\d+){3}|::1", host) else host) + (urlsplit(value).path or "/")
    if reading == "json":
        return write(sorted_keys(parse(value))) if value[:1] in "[{" else value
    return ("digest " + digest(value) if value else "") if reading in ("digest", "address") else value


def sorted_keys(value, name=""):
    if isinstance(value, dict):
        return {key: sorted_keys(value[key], key) for key in sorted(value, key=utf16)}
    if isinstance(value, list):
        return [sorted_keys(item) for item in value]
    return "<REDACTED:%s>" % name if is_text(value) and is_credential(name) else value


def kept_headers(headers):
    known, kept = TABLES["headers"], {}
    for name, value in headers.items():
        name = name.lower()
        reading = known["known"].get(name)
        if reading is None and re.fullmatch(known["stored"], name):
            reading = "digest" if re.match(known["family"], name) else "address" if re.fullmatch(known["address"], name) else "text"
        read = read_header(reading, value) if reading else ""
        if read:
            kept[name] = read
    return kept or None


def read_asked_body(content, headers):
    for coding in reversed([one.strip() for one in headers.get("content-encoding", "identity").lower().split(",")]):
        if coding not in ("gzip", "x-gzip", "deflate", "identity"):
            raise Unsupported("the content coding " + coding)
        content = {"deflate": zlib.decompress, "identity": bytes}.get(coding, gzip.decompress)(content)
    if headers.get("content-type", "").lower().startswith("multipart/"):
        raise Unsupported("a form in a request")
    if not content:
        return "empty", None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return "bytes", content
    value = parsed(text)
    if isinstance(value, (dict, list)) and not has_twice(value):
        return "json", value
    lines = json_lines(text)
    return ("lines", lines) if lines else ("text", text)


def parsed(text):
    """The JSON value of a text, or Ellipsis."""
    try:
        return parse(text)
    except ValueError:
        return ...


def json_lines(text):
    lines = re.findall("[^\n]*\n|[^\n]+$", text)
    read = [parsed(line) for line in lines]
    if not text.startswith("{") or len(lines) < 2 or not all(isinstance(value, dict) for value in read):
        return None
    eol = "\r\n" if lines[0].endswith("\r\n") else "\n"
    for spelled in range(8):
        layout = {"ascii": spelled & 1, "spacedItems": spelled & 2, "spacedKeys": spelled & 4}
        as_sent = [write_in(value, layout) + eol == line for value, line in zip(read, lines)]
        if all(as_sent[:-1]):
            return read[:-1] + [read[-1] if as_sent[-1] else lines[-1]]
    return None


# Replacing texts: placeholders, parameters, values of this run


def map_texts(value, change, is_number=False):
    if isinstance(value, dict):
        return {change(key): map_texts(item, change, is_number) for key, item in value.items()}
    if isinstance(value, list):
        return [map_texts(item, change, is_number) for item in value]
    if isinstance(value, Num):
        return change(value) if is_number else value
    return change(value) if isinstance(value, str) else value


def replaced(pairs, text):
    """A text in which each value, as a whole word, is another one; the longest goes first."""
    known = {value: other for value, other in pairs if value}
    if not known:
        return text
    alternatives = []
    for value in sorted(known, key=len, reverse=True):
        before = r"(?<![^\W_])" if value[0].isalnum() else ""
        alternatives.append(before + re.escape(value) + (r"(?![^\W_])" if value[-1].isalnum() else ""))
    return re.sub("|".join(alternatives), lambda found: known[found[0]], text)


CREDENTIAL_NAME = "(^|[^a-z])(api_?key|auth|authorization|cookie|credentials?|key|pass|passphrase|passwd|password|pat|pwd|secrets?|token)([^a-z]|$)"


def is_secret(value):
    if len(value) < 8 or re.fullmatch(r"[\d.,:-]+|true|false|null|undefined|(\.{0,2}|~)/.*|https?://.*", value, re.I | re.S):
        return False
    return len(value) >= 16 or bool(re.search(r"\d", value) and re.search("[a-z]", value, re.I))


def known_credentials(ask, env):
    known = {}
    for name, value in ask.get("headers", {}).items():
        if re.search(CREDENTIAL_NAME, name.lower()):
            known[value.split(" ", 1)[-1]] = name.lower()
    for name, value in parse_qsl(urlsplit(ask["url"]).query):
        if is_credential(name):
            known[value] = name.lower()
    known.update({value: name for name, value in env.items() if re.search(CREDENTIAL_NAME, name.lower())})
    return {value: "<REDACTED:%s>" % name for value, name in known.items() if is_secret(value)}


def redact(request, known):
    def change(text):
        for value in sorted(known, key=len, reverse=True):
            text = text.replace(value, known[value])
        return text
    scheme, host, path, query = request.url
    return request.having(
        url=(scheme, host, change(path), [(name, change(value)) for name, value in query]),
        headers=request.headers and map_texts(request.headers, change), content=map_texts(request.content, change))


def restore_plain(request, env):
    plain = lambda found: env[found[1]] if found[1] in env and not is_secret(env[found[1]]) else found[0]
    return request.having(content=map_texts(request.content, lambda text: re.sub(r"<REDACTED:(\w+)>", plain, text)))


class Params:
    def __init__(self, values, recorded):
        self.values = {name: str(value) for name, value in values.items()}
        self.is_declared = set(recorded) <= set(values)
        self.fresh = [name for name in values if name not in recorded]

    def hide(self, content):
        names = {value: name for name, value in self.values.items()}

        def change(text):
            if isinstance(text, Num):
                return "{{%s:number}}" % names[text] if text in names else text
            text = self.escape(text, self.values)
            for value in sorted(names, key=len, reverse=True):
                before = r"(?<!\d[.,])" if value[0].isdigit() else ""
                after = r"(?![.,]\d)" if value[-1].isdigit() else ""
                text = re.sub(r"(?<![^\W_])" + before + re.escape(value) + r"(?![^\W_])" + after, "{{%s}}" % names[value], text)
            return text
        return map_texts(content, change, True) if names else content

    def escape(self, text, names):
        return re.sub(r"\{\{(=*(%s)(:number)?\}\})" % "|".join(names), r"{{=\1", text) if names else text

    def escape_fresh(self, content):
        return map_texts(content, lambda text: self.escape(text, self.fresh))

    def show(self, content):
        def change(text):
            whole = re.fullmatch(r"\{\{(\w+):number\}\}", text)
            if whole and whole[1] in self.values:
                return Num(self.values[whole[1]])
            shown = lambda found: "{{" + found[0][3:] if found[1] else self.values[found[2]]
            return re.sub(r"\{\{(=*)(%s)(:number)?\}\}" % "|".join(self.values), shown, text)
        return map_texts(content, change) if self.values else content


# The canonical form


class Volatile:
    """The volatile values of one request, by the rules of the test."""

    def __init__(self, rules):
        self.paths = [(rule, [key for key in re.split(r"[.[\]]+", rule[1:]) if key]) for rule in rules if rule.startswith("$")]
        self.rules = [(rule, expression(rule)) for rule in rules if not rule.startswith("$")]
        self.numbers, self.found = {}, []

    def mark(self, value, rule):
        number = None if rule in TABLES["volatile"]["times"] else self.numbers.get(value)
        if number is None:
            self.found.append((value, rule))
            if rule in TABLES["volatile"]["times"]:
                return NUL + "volatile:" + rule
            number = self.numbers[value] = len(self.numbers) + 1
        return "%svolatile:%s:%d" % (NUL, rule, number)

    def mark_at(self, path, value):
        for rule, keys in self.paths:
            if len(keys) == len(path) and all(key in ("*", str(at)) for key, at in zip(keys, path)):
                return self.mark(value if is_text(value) else write(value), rule)
        return None

    def mark_in(self, text, path):
        spans = [] if path and re.search(TABLES["volatile"]["not_in_fields"], str(path[-1]), re.I) else [
            (found.start(), -found.end(), at, rule) for at, (rule, pattern) in enumerate(self.rules) for found in pattern.finditer(text) if found[0]]
        marked, end = "", 0
        for start, stop, _, rule in sorted(spans):
            if start >= end:
                marked += text[end:start].replace(NUL, NUL * 2) + self.mark(text[start:-stop], rule) + NUL
                end = -stop
        return marked + text[end:].replace(NUL, NUL * 2)


def expression(rule):
    known = TABLES["volatile"]["rules"][rule]
    try:
        return re.compile(known["source"], re.ASCII | (re.I if "i" in known["flags"] else 0))
    except re.error:
        raise Unsupported("the rule " + rule) from None


def places_of(roots):
    """The places of the ids of calls below a body, as a tree of keys."""
    top = {}
    for form in TABLES["calls"]:
        for root in roots(form):
            for owner in form["in"]:
                for path, *types in form["ids"]:
                    place = top
                    for key in [key for part in (root, owner, path) for key in part.split(".") if key]:
                        place = place.setdefault(key, {})
                    place.setdefault(NUL, []).append((types[0] if types else "", form.get("far")))
    return top


REQUEST = places_of(lambda form: ["", "*.query", *form.get("inside", [])])
LINE = places_of(lambda form: ["", *form.get("inLines", [])])


class Canonical:
    def __init__(self, volatile, has_order=True, has_calls=True):
        self.volatile, self.has_order, self.has_calls, self.calls = volatile, has_order, has_calls, {}

    def value(self, value, place={}, path=()):
        mark = self.volatile and self.volatile.mark_at(path, value)
        if mark:
            return mark
        if isinstance(value, Num):
            return self.number(value)
        if isinstance(value, str):
            return self.text(value, path)
        if isinstance(value, list):
            return [self.value(item, place.get("*", {}), path + (at,)) for at, item in enumerate(value)]
        return self.object(value, place, path) if isinstance(value, dict) else value

    def object(self, value, place, path):
        form = {}
        for key in sorted(value, key=utf16):
            inner = place.get(key, {})
            call = self.call(value[key], inner.get(NUL, []), value) if is_text(value[key]) else None
            form[key] = call or self.value(value[key], inner, path + (key,))
            if self.has_order and key in ("properties", "parameter_definitions") and isinstance(value[key], dict):
                keys = list(value[key])
                if keys != sorted(keys, key=utf16):
                    form[key] = [NUL + "order", keys, form[key]]
        return cassette.in_order(list(form.items()))

    def call(self, text, places, owner):
        kind = owner.get("type")
        kind = kind if is_text(kind) else "undefined"
        if not self.has_calls or not any(re.search(types, kind) for types, _ in places):
            return None
        if text not in self.calls and any(far and re.search(far, kind) for _, far in places):
            return None
        return "%scall:%d" % (NUL, self.calls.setdefault(text, len(self.calls) + 1))

    def text(self, text, path):
        prefix = re.match(r"data:[\w.+-]+/[\w.+-]+(;[\w.+-]+=[\w.+-]+)*;base64,|", text, re.ASCII)[0]
        if len(text) >= LEAST and re.fullmatch("[A-Za-z0-9+/_-]+={0,2}", text[len(prefix):]):
            return NUL + "base64:" + prefix + sha256(text[len(prefix):])
        form = self.volatile.mark_in(text, path) if self.volatile else text.replace(NUL, NUL * 2)
        is_hashed = len(utf16(form)) >= 2 * LEAST and not re.search("[\ud800-\udfff]", form)
        return NUL + "text:" + sha256(form) if is_hashed else form

    def number(self, spelled):
        double = float(spelled)
        if es_number(double) == spelled:
            return spelled
        is_faithful = abs(double) < 2**53 if double.is_integer() else abs(double) != float("inf")
        return Num(es_number(double)) if is_faithful else NUL + "number:" + spelled.lower()

    def body(self, kind, content):
        value = parsed(content) if kind == "text" else content if kind == "json" else ...
        if value is not ... and not has_twice(value):
            form = self.value(value, REQUEST)
            return form if isinstance(value, dict) else ["json", form]
        if kind == "text":
            return ["text", self.value(content) if self.volatile else content]
        if kind == "lines":
            return ["lines", *[self.value(line, LINE) for line in content]]
        if kind == "form":
            return ["form", *[self.value(part) for part in content]]
        return None if kind == "empty" else ["bytes", sha256(content)] if kind == "bytes" else ["frames", self.value(content)]


def endpoint_of(host):
    host, known = host.lower().rstrip("."), TABLES["endpoints"]
    if host in known["hosts"]:
        return known["hosts"][host]
    for one in known["patterns"]:
        if re.search(one["hosts"], host):
            return host if "but" in one and re.search(one["but"], host) else one["endpoint"]
    return "localhost" if re.fullmatch(r"127(\.\d+){3}|0\.0\.0\.0|::1?|localhost", host) else "[%s]" % host if ":" in host else host


def compared(name, value):
    is_as_it_is = name.lower() in TABLES["query"]["kept"] or re.fullmatch("[0-9a-f]{12}|REDACTED", value)
    return value if is_as_it_is else digest(value)


def hash_of(request, rules=(), has_calls=True):
    """The prompt hash of a request, and its volatile values."""
    _, host, path, query = request.url
    volatile = Volatile(rules) if rules else None
    canonical = Canonical(volatile, not (request.imported or {}).get("respelled"), has_calls)
    named = [(name.replace("%", "%25").replace("=", "%3D") + "=", compared(name, value)) for name, value in query]
    headers = request.headers and ["%s: %s" % (name, read_set(value) if "set" in TABLES["headers"]["known"].get(name, "") else value) for name, value in request.headers.items()]
    form = {
        "after": request.before and hash_of(request.before, rules)[0],
        "body": canonical.body(request.kind, request.content),
        "endpoint": endpoint_of(host),
        "headers": headers and sorted(headers, key=utf16),
        "method": request.method,
        "path": quote(path, safe="/%:@!$&'()*+,;=~[]|^"),
        "query": [name + value for name, value in sorted(named, key=lambda pair: utf16(pair[0]))],
    }
    absent = [key for key in ("after", "headers") if form[key] is None]
    text = write({key: value for key, value in form.items() if key not in absent})
    return "sha256-" + sha256(text), volatile.found if volatile else []


# Unknown parts


def as_imported(known, asked):
    unknown, redacted = known.imported.get("unknown", []), known.imported.get("redacted", [])
    scheme, host, path, query = asked.url
    there = known.url
    host = there[1] if "host" in unknown else align(there[1], host, ["redacted"] if redacted else [])
    encoded = redacted + [quote(text) for text in redacted]
    path, query = (there[2], there[3]) if "path" in unknown else (align(there[2], path, encoded), align_all(there[3], query, encoded))
    is_same_kind = known.kind == asked.kind != "bytes"
    return asked.having(
        method=known.method if "method" in unknown else asked.method, url=(scheme, host, path, query), imported=known.imported,
        headers=align_all(known.headers, asked.headers, redacted) if known.headers and asked.headers else asked.headers,
        content=align_all(known.content, asked.content, redacted) if is_same_kind else asked.content)


def align_all(known, asked, redacted):
    if is_text(known) and is_text(asked):
        return align(known, asked, redacted)
    if isinstance(known, (list, tuple)) and isinstance(asked, (list, tuple)):
        return [align_all(known[at], item, redacted) if at < len(known) else item for at, item in enumerate(asked)]
    if isinstance(known, dict) and isinstance(asked, dict):
        return {key: align_all(known.get(key), item, redacted) for key, item in asked.items()}
    return asked


def align(known, asked, redacted):
    pieces = re.split("|".join(map(re.escape, redacted)), known) if redacted else [known]
    return known if len(pieces) > 1 and re.fullmatch(".*".join(map(re.escape, pieces)), asked, re.S) else asked


# The player


class Recorded:
    def __init__(self, name, exchange, request, answer):
        self.name, self.exchange, self.request, self.answer, self.played = name, exchange, request, answer, 0
        self.is_written = answer is None
        self.is_unasked = bool(request) and "body" in (request.imported or {}).get("unknown", [])
        self.is_poll = bool(request) and request.method == "GET" and request.kind == "empty" and not self.is_unasked


class Player:
    """Plays one cassette in one test."""

    def __init__(self, content, blobs={}, options={}):
        self.file = cassette.read_file(content)
        self.rules, self.env = options.get("volatile", []), options.get("env", {})
        self.repeats, self.unordered = options.get("repeats", "strict"), options.get("unordered", True)
        self.params = Params(options.get("params", {}), self.file.get("params", {}))
        self.exchanges, self.pairs, self.given = [], [], set()
        references, decoder, requests = cassette.References(), cassette.Decoder(blobs), {}
        for place, exchange in enumerate(self.file["exchanges"]):
            name, request, answer = exchange.get("id", "exchange-%d" % (place + 1)), None, None
            if "wire" in exchange:
                asked, answered = exchange["wire"]["request"], exchange["wire"].get("response")
                known = {"request": {}, "response": {}}
                references.exchanges.setdefault(name, {"prompt": exchange["prompt"], "response": exchange["response"], "wire": known})
                kind, body = cassette.read_body(asked, ["wire", "request", "body"], known["request"], references, decoder)
                request = Request(asked["method"], kept_url(asked["url"]), asked.get("headers"), kind, self.params.escape_fresh(body),
                                  requests.get(asked.get("after")), "older" in asked, asked.get("imported"))
                requests[name] = request
                answer = answered and (answered, *cassette.read_body(answered, ["wire", "response", "body"], known["response"], references, decoder))
            self.exchanges.append(Recorded(name, exchange, request, answer))

    def read(self, ask, before=None):
        """A request that a client sends, as it is, and as it is compared."""
        content = base64.b64decode(ask["base64"]) if "base64" in ask else ask.get("body", "").encode()
        headers = {name.lower(): value for name, value in ask.get("headers", {}).items()}
        sent = Request(ask["method"], kept_url(ask["url"]), kept_headers(headers), *read_asked_body(content, headers), before)
        asked = redact(sent, known_credentials(ask, self.env))
        return asked.having(content=self.params.hide(asked.content))

    def answer(self, asked):
        """The exchange that answers a request, and its answer."""
        if not self.params.is_declared:
            raise Refused("params")
        known = self.candidates(asked)
        found = self.choose(known, asked, asked)
        if not found and self.given:
            back = self.turned_back(asked)
            found = self.choose(self.candidates(back), back, asked)
        if not found:
            raise Refused(self.why_refused(known, asked))
        recorded, pairs = found
        recorded.played += 1
        self.pairs += pairs
        return recorded, recorded.answer and self.bind(recorded.answer)

    def here(self, request):
        return restore_plain(request, self.env)

    def comparable(self, recorded, asked):
        asked = asked.without_headers() if recorded.request.older else asked
        return as_imported(recorded.request, asked) if recorded.request.imported else asked

    def candidates(self, asked):
        def is_same(one):
            if one.request is None:
                return self.is_meant(one.exchange, asked)
            return not one.is_unasked and self.hash(one.request) == self.hash(self.comparable(one, asked))
        found = [one for one in self.exchanges if is_same(one)]
        return sorted(found, key=lambda one: one.is_written)

    def hash(self, request):
        return hash_of(self.here(request), self.rules)[0]

    def values(self, request):
        return hash_of(self.here(request), self.rules)[1]

    def choose(self, known, asked, live):
        fits = lambda one: self.conflict(self.pairs_of(one, asked)) is None
        unplayed = [one for one in known if not one.played]
        if not unplayed:
            is_poll = self.repeats == "strict" and any(one.is_poll for one in known)
            again = {"last": known[-1:], "cycle": sorted(known, key=lambda one: one.played)}
            unplayed = again.get("last" if is_poll else self.repeats, [])
        elif not self.unordered:
            first = next((one for one in self.exchanges if not one.played and (one in known or not self.is_begun(one))), None)
            unplayed = [one for one in unplayed if one is first]
        elif len(unplayed) > 1:
            is_other = lambda one: one.request is None or hash_of(one.request, (), False) != hash_of(asked, (), False)
            unplayed = sorted(unplayed, key=is_other)
        return next(((one, self.pairs_of(one, asked)) for one in unplayed if fits(one)), None)

    def is_begun(self, one):
        return one.is_poll and any(other.played and other.is_poll and self.hash(other.request) == self.hash(one.request) for other in self.exchanges)

    def pairs_of(self, one, asked):
        if one.request is None or not self.rules:
            return []
        known, live = self.values(one.request), self.values(self.comparable(one, asked))
        back = {recorded: value for recorded, value, _ in self.pairs if value in self.given}
        return [(value, back.get(other[0], other[0]), rule) for (value, rule), other in zip(known, live)] if len(known) == len(live) else []

    def conflict(self, pairs):
        clocks = [*TABLES["volatile"]["times"], "date-phrase"]
        for recorded, live, rule in pairs:
            for before, value, other in self.pairs if rule not in TABLES["volatile"]["times"] else []:
                if before == recorded and value != live or value == live and before != recorded and not (rule in clocks and other in clocks):
                    return before, recorded
        return None

    def bindable(self):
        def may(value, rule):
            if value[:1] in ("{", "["):
                return False
            if rule.startswith("$"):
                return len(value) >= 4 and re.search(r"\d", value)
            return len(value) >= (4 if value.isdigit() else 2)
        return [(recorded, live) for recorded, live, rule in self.pairs if recorded != live and may(recorded, rule) and may(live, rule)]

    def bind(self, answer):
        half, kind, content = answer
        pairs = self.bindable()
        if pairs and kind != "bytes":
            self.given.update(live for recorded, live in pairs if recorded in write(content))
            content = map_texts(content, lambda text: replaced(pairs, text))
        return half, kind, self.params.show(content)

    def turned_back(self, asked):
        pairs = [(live, recorded) for recorded, live in self.bindable() if live in self.given]
        return asked.having(content=map_texts(asked.content, lambda text: replaced(pairs, text)))

    def why_refused(self, known, asked):
        unplayed = [one for one in known if not one.played]
        same = unplayed[:1] or (known[-1:] if self.repeats != "strict" else [])
        if any(self.conflict(self.pairs_of(one, asked)) for one in same):
            return "volatile"
        return "turn" if unplayed and not self.unordered else "played" if known else "unmatched"

    def is_meant(self, exchange, asked):
        """Whether a person wrote the exchange for a request. Of all formats, this player knows chat completions."""
        body, prompt = asked.content, exchange["prompt"]
        if asked.kind != "json" or not isinstance(body, dict) or not isinstance(body.get("messages"), list):
            return False
        said = [message for message in body["messages"] if message.get("role") == "user"]
        content = (said or body["messages"])[-1].get("content")
        parts = [{"type": "text", "text": content}] if is_text(content) else content
        question = "\n".join(part["text"] for part in parts if part.get("type") == "text")
        for name, value in prompt.get("metadata", {}).items():
            is_named = endpoint_of(asked.url[1]) == value if name == "provider" else name == "operation" or write(body.get(name)) == write(value)
            if not is_named:
                return False
        found = re.fullmatch(r"(?:sha-?256\s*[-:=_]\s*)?([0-9a-f]{64})", prompt.get("hash", "").strip(), re.I)
        if found:
            return found[1].lower() in (sha256(question), self.hash(asked)[7:], self.hash(asked.without_headers())[7:])
        text = prompt["text"] if is_text(prompt["text"]) else "".join(prompt["text"]["$text"])
        without_ends = lambda lines: "\n".join(line.rstrip() for line in lines.split("\n")).rstrip()
        return without_ends(text) == without_ends(question)

    def unused(self):
        exchanges = self.exchanges if self.params.is_declared else []
        return [one.name for one in exchanges if not one.played and not self.is_begun(one)]

    def edited(self):
        file, edited = self.file, []
        short = lambda value: sha256(write(value))[:32]
        if "file_hash" in file:
            head = {key: value for key, value in file.items() if key not in ("file_hash", "exchanges")}
            recorded = [exchange for exchange in file["exchanges"] if "response" in exchange.get("wire", {})]
            real = [short(head), short(recorded)]
            edited += [part for part, said, is_now in zip(["head", "exchanges"], file["file_hash"].split("-")[1:], real) if said != is_now]
        for one in self.exchanges:
            said = one.answer and one.answer[0].get("hash", file.get("hashes", {}).get(one.name, {}).get("answer"))
            if said and said != hash_of_answer(*one.answer):
                edited.append(one.name)
        return edited


def hash_of_answer(half, kind, content):
    head = {"cut": half.get("cut", False), "headers": {name: half["headers"][name] for name in sorted(half["headers"])}, "status": half["status"]}
    head = {**({"aborted": half["aborted"]} if "aborted" in half else {}), **head}
    pieces = [write(head).encode(), *cassette.pieces_of(kind, content, half)]
    return "sha256-" + sha256(b"".join(b"%d\n" % len(piece) + piece for piece in pieces))[:32]


# Cases


def described(recorded, answer):
    if answer is None:
        return {"exchange": recorded.name, "written": True}
    half, kind, content = answer
    pieces = cassette.pieces_of(kind, content, half)
    whole = b"".join(pieces)
    said = {"exchange": recorded.name, "status": half["status"], "headers": half["headers"]}
    try:
        said["body"] = whole.decode()
    except UnicodeDecodeError:
        said["base64"] = base64.b64encode(whole).decode()
    if len(pieces) > 1:
        said["pieces"] = [Num(len(piece)) for piece in pieces]
    return {**said, **{key: half[key] for key in ("cut", "aborted") if key in half}}


def play(case):
    """What this player makes of a case: why the file is not read, or an outcome for each request."""
    content = case["file"].encode() if "file" in case else write(case["cassette"]).encode()
    blobs = {name: base64.b64decode(text) for name, text in case.get("blobs", {}).items()}
    try:
        player = Player(content, blobs, case.get("options", {}))
    except Refused as refused:
        return str(refused), [], [], []
    asked, outcomes = [], []
    for ask in case["requests"]:
        asked.append(player.read(ask, asked[int(ask["after"])] if "after" in ask else None))
        outcome = {"hash": hash_of(asked[-1], player.rules)[0]}
        try:
            outcome.update(described(*player.answer(asked[-1])))
        except Refused as refused:
            outcome["refused"] = str(refused)
        outcomes.append(outcome)
    return None, outcomes, player.unused(), player.edited()


def main(names):
    failed = 0
    for name in names or sorted(glob.glob(os.path.join(HERE, "cases", "*.json"))):
        with open(name, encoding="utf-8") as file:
            case = parse(file.read())
        expected = case.get("unreadable"), [ask["expect"] for ask in case["requests"]], case.get("unused", []), case.get("edited", [])
        try:
            outcome = play(case)
        except Unsupported as unsupported:
            outcome = "unsupported: %s" % unsupported
        if outcome != expected:
            failed += 1
            print("%s: %s\n  expected %s\n  got      %s" % (os.path.basename(name), case["shows"], expected, outcome))
    print("%d of the cases failed" % failed if failed else "all cases passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
