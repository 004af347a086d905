"""A player of format.md, which refuses what is of the other page. reading.py reads its files."""

import hashlib
import re
from ecmascript import Number, address, double, expression, hash_of, is_tree
from ecmascript import object_order, parameters, parse, utf16, write
from reading import MEMBERS, TABLES, File, Refused
from run import run

SIGNED, CREDENTIAL = (expression(**TABLES["query"][name]) for name in ("signed", "credential"))
WHITE_AT_ENDS = re.compile(r"[^\S\n]+(?=\n)|\s+\Z")
NOT_OF_A_TYPE = r"\s*;\s*(?:q|charset|boundary)\s*=[^,;]*"
# Where ids of tool calls are: a path, in which 0 is any item of a list, and expressions for types
PLACES = {
    tuple(0 if key == "*" else key for key in (root + path).split(".")): types or [""]
    for root in ["", *[root + "." for root in TABLES["call_roots"]]]
    for path, *types in TABLES["calls"]
}


class Player(File):
    """Plays a file: `ask` finds what answers a request."""

    methods, schemes, kinds = ["POST", "PUT", "PATCH", "DELETE"], ["http", "https"], ["body"]

    def prepare(self, exchange):
        if "<REDACTED:" in write(exchange):
            raise Refused("unsupported")
        super().prepare(exchange)

    def count(self, exchange):
        if exchange["asked"]:
            exchange["form"] = write(self.form(exchange["asked"], {}))
            exchange["exact"] = write(self.form(exchange["asked"], None))

    # What counts of a request

    def endpoint(self, host):
        names = TABLES["endpoints"]
        host = re.sub(r"^(127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$", "localhost", host)
        found = [of["endpoint"] for of in names["patterns"] if re.search(of["hosts"], host)]
        return names["hosts"].get(host, [*found, host][0])

    def is_credential(self, name, value, host):
        words = words_of(name)
        if words == "code" and not host.endswith(".azurewebsites.net"):
            return len(value) >= 20 and not re.search(r"\s", value)
        return bool(SIGNED.search(name) or CREDENTIAL.search(words))

    def headers(self, headers, url):
        """The headers that count, as lines."""
        lines, tables = [], TABLES["headers"]
        for name, value in headers.items():
            name, values = name.lower(), [value] if isinstance(value, str) else value
            value = ", ".join(line.strip(" \t") for line in values)
            readings = [of for names, of in tables["readings"] if re.search(names, name)]
            if name in ("accept", "content-type"):
                types = re.split(r"\s*,\s*", re.sub(NOT_OF_A_TYPE, "", value.lower()))
                value = ", ".join(sorted(one for one in types if re.search(tables["types"], one)))
            if value and re.search(tables["counting"], name):
                if readings[:1] not in ([], ["text"]):
                    raise Refused("unsupported")
                lines.append(f"{name}: {value}")
        return sorted(lines, key=utf16)

    def form(self, request, calls):
        """The canonical form of a request. `calls` gets the numbers of ids; with None they stay."""
        scheme, host, path, query = address(request["url"])
        if request["method"] not in self.methods or scheme not in self.schemes:
            raise Refused("unsupported")
        pairs = sorted(parameters(query), key=lambda pair: utf16(pair[0]))
        pairs = [pair for pair in pairs if not self.is_credential(*pair, host)]
        form = {"method": request["method"], "endpoint": self.endpoint(host), "path": path}
        pairs = [(name.replace("%", "%25").replace("=", "%3D"), value) for name, value in pairs]
        form["query"] = ["=".join(pair) for pair in pairs]
        form["headers"] = self.headers(request.get("headers", {}), request["url"])
        for kind in {*self.kinds} & {*request}:
            form[kind] = canonical(request[kind], calls, () if kind == "body" else (kind,))
        return {key: form[key] for key in sorted(form) if form[key] != []}

    def asked(self, request, data):
        """What counts of a request that a program sends, with a body of bytes."""
        try:
            address(request["url"])
            request.update({"body": parse(data.decode())} if data else {})
        except ValueError:
            raise Refused("unsupported")
        is_encoded = "content-encoding" in map(str.lower, request["headers"])
        if is_encoded or data and not is_tree(request["body"]) or "<REDACTED:" in write(request):
            raise Refused("unsupported")
        return request

    # Which exchange answers

    def ask(self, request, data):
        """The answer to a request: `method`, `url`, `headers`, and bytes."""
        request = self.asked(request, data)
        form, exact = self.form(request, {}), write(self.form(request, None))
        found = [one for one in self.exchanges if one.get("form") == write(form)]
        left = [one for one in found if not one["played"]]
        played = [one["id"] for one in self.exchanges if one["played"]]
        ready = [one for one in left if one["asked"].get("after") in [None, *played]]
        ready.sort(key=lambda one: one["exact"] != exact)
        if not left:
            by_hand = [one for one in self.exchanges if "request" not in one]
            found += [one for one in by_hand if self.is_meant(one["prompt"], request, form)]
            ready = [one for one in found if not one["played"]]
        if not ready:
            raise Refused("turn" if left else "played" if found else "unmatched")
        ready[0]["played"] += 1
        return {"hash": hash_of(write(form)), **self.answer(ready[0])}

    def is_meant(self, prompt, request, form):
        """Whether a person wrote a prompt for a request. This player knows two formats."""
        body, formats = request.get("body"), "/(chat/completions|messages)$"
        if not re.search(formats, form["path"]) or "messages" not in (body or ()):
            raise Refused("unsupported")
        question, given = question_of(body), prompt.get("hash")
        digest = hashlib.sha256(question.encode()).hexdigest()
        hashes = [digest, f"sha256-{digest}", hash_of(write(form)), hash_of(write(form))[:22]]
        is_same = question == WHITE_AT_ENDS.sub("", "".join(prompt["text"]))
        is_same = is_same if given is None else given in hashes
        has, wanted = {**body, "provider": form["endpoint"]}, prompt.get("metadata", {})
        has = {name: has[name] for name in wanted if name in has}
        return is_same and write(canonical(has, None)) == write(canonical(wanted, None))

    # Responses

    def answer(self, exchange):
        """What a program gets. This player does not write what a person answered."""
        said, sent = {"exchange": exchange["id"]}, exchange["sent"]
        if not sent:
            return {**said, "written": True}
        status, headers = int(sent["status"]), sent["headers"]
        again = status in (408, 409, 429) or status >= 500
        now = {"retry-after": "0", "retry-after-ms": "1"} if again else {}
        headers = {**{name: headers[name] for name in headers if name.lower() not in now}, **now}
        return {**said, "status": status, "headers": headers, "chunks": self.chunks(sent)}

    def chunks(self, sent):
        if "events" in sent:
            return [self.event(item, sent) for item in sent["events"]]
        if "body" in sent:
            return [write(sent["body"], sent.get("layout", {}))]
        return ["".join(sent["text"])] if "text" in sent else []

    def event(self, item, how):
        if not re.fullmatch(MEMBERS["types"]["event"], write(item)):
            raise Refused("body")
        if isinstance(item, list) and len(item) == 1:
            return item[0]
        name = item.get("type") if isinstance(item, dict) and "named" in how else None
        name, data = item if isinstance(item, list) else (name, item)
        data = data if isinstance(data, str) else write(data, how.get("layout", {}))
        eol = how.get("eol", "\n")
        return f"event: {name}{eol}" * isinstance(name, str) + f"data: {data}{eol}{eol}"


def words_of(name):
    words = re.sub("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name).lower()
    return re.sub("[^a-z]+", " ", words).strip()


def canonical(value, calls, path=(), kind=""):
    """The canonical form of a part of a body. `calls` has the numbers of ids; None leaves them."""
    if isinstance(value, list):
        return [canonical(item, calls, (*path, 0)) for item in value]
    if isinstance(value, dict):
        kind, form = value["type"] if isinstance(value.get("type"), str) else "", {}
        for key in sorted(value, key=utf16):
            form[key] = canonical(value[key], calls, (*path, key), kind)
            if key in ("properties", "parameter_definitions") and isinstance(value[key], dict):
                form[key] = [[name, form[key][name]] for name in object_order(value[key])]
        return form
    if isinstance(value, Number):
        number, text = double(str(value))
        is_lost = abs(number) >= 2**53 and text != value
        return f"\0number:{value.lower()}" if is_lost else Number(text)
    if isinstance(value, str) and calls is not None and path in PLACES:
        types, *far = PLACES[path]
        if re.search(types, kind) and (value in calls or not (far and re.search(far[0], kind))):
            return f"\0call:{calls.setdefault(value, len(calls) + 1)}"
    return "\0" + value if isinstance(value, str) and value.startswith("\0") else value


def question_of(body):
    """What the user asks, in OpenAI's Chat Completions and Anthropic's Messages."""
    asked, told = [], []
    for message in [{"role": "system", "content": body.get("system")}, *body["messages"]]:
        parts = message.get("content") or []
        parts = [{"type": "text", "text": parts}] if isinstance(parts, str) else parts
        if message["role"] == "user" and {part.get("type") for part in parts} - {"tool_result"}:
            asked = parts
        told += parts if message["role"] in ("system", "developer") else []
    texts = [part["text"] for part in asked or told if part.get("type") == "text"]
    return WHITE_AT_ENDS.sub("", "\n".join(texts))


if __name__ == "__main__":
    run(Player, "core")
