"""The first half of format.md: what a file has, and what its references stand for."""

import json
import re
from pathlib import Path
from ecmascript import Number, parse, write

MEMBERS, TABLES = (
    json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8"))
    for name in ("members", "tables")
)
WRONG = (LookupError, TypeError, ValueError, AttributeError, RecursionError)


class Refused(Exception):
    """Its argument is the reason."""


class File:
    """A file. Its exchanges get `asked` and `sent`: the request and what is sent, resolved."""

    members, bodies = MEMBERS["members"], ["body", "events", "text"]

    def __init__(self, data, options={}, blobs={}):
        """The bytes of a file, the options of a test, and the files beside the cassette."""
        self.data, self.options, self.blobs, self.sources = data, options, blobs, {}
        try:
            self.file = parse(data.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            raise Refused("json")
        try:
            self.exchanges = self.file["exchanges"]
            version = r"2\.\d+" if any("request" in of for of in self.exchanges) else r"[12]\.\d+"
            if not re.fullmatch(version, self.file["version"]):
                raise Refused("version")
            self.check(self.file, "{file}")
            for place, exchange in enumerate(self.exchanges, 1):
                exchange.setdefault("id", f"exchange-{place}")
                self.prepare(exchange)
        except WRONG:
            raise Refused("invalid")

    def check(self, value, kind):
        """Whether a value is of a kind of members.json."""
        if kind[0] == "[" and isinstance(value, list):
            for item in value:
                self.check(item, f"{{{kind[1:-1]}}}")
        elif kind[0] == "{" and isinstance(value, dict):
            members = self.members[kind[1:-1]]
            if any(name[-1] != "?" and name not in value for name in members):
                raise Refused("invalid")
            for name in value:
                if not {name, name + "?"} & {*members}:
                    raise Refused("unsupported")
                self.check(value[name], members.get(name, members.get(name + "?")))
        elif not re.fullmatch(MEMBERS["types"].get(kind, "(?!)"), write(value), re.A):
            raise Refused("invalid")

    def prepare(self, exchange):
        """Resolves the references of an exchange. It gets `asked` and `sent`."""
        id, response, text = exchange["id"], exchange["response"], exchange["prompt"]["text"]
        request, sent = {**exchange.get("request", {})}, {**response.get("sent", {})}
        is_told = request and sent or {"text", "tool_calls", "error"} & {*response}
        if f"{id}/" in self.sources or not is_told:
            raise Refused("invalid")
        own = {**self.sources, "prompt": text}
        own[f"{request.get('after')}/"] if "after" in request else None
        self.resolve_members(request, own)
        own["/"] = self.sources[f"{id}/"] = request.get("body")
        made = {str(place): value for place, value in enumerate(sent.get("renewed", []))}
        made.update({"prompt": text, "text": response.get("text", "")})
        self.resolve_members(sent, {**own, **made})
        self.sources.update({f"{id}.{name}": value for name, value in made.items()})
        exchange.update(asked=request, sent=sent, played=0)
        self.chunks(sent)
        if request:
            self.count(exchange)

    def resolve_members(self, holder, own):
        if len({*self.bodies} & {*holder}) > 1:
            raise Refused("invalid")
        for name in {"url", *self.bodies} & {*holder}:
            if name in ("events", "lines", "frames"):
                holder[name] = [one for item in holder[name] for one in self.each(item, own)]
            else:
                holder[name] = self.resolve(holder[name], own)

    # References

    def source(self, name, own):
        """The value at a source."""
        found = re.fullmatch(r"(.*(?:prompt|text))(?:\.(\d+)-(\d+))?", str(name), re.A)
        if found:
            texts = own[found[1]]
            return "".join(items_of(texts, found[2], found[3]) if found[2] else texts)
        id, slash, pointer = str(name).partition("/")
        keys = [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/") if slash]
        return at(own[id + slash], keys)

    def resolve(self, value, own, place=(), like=None):
        """A value with what its markers stand for; `own` has the values at sources."""
        if isinstance(value, list):
            items = []
            for item in value:
                if like and isinstance(item, dict) and item.keys() - {"$of"} == {"$items"}:
                    of = own[item.get("$of", like) + "/"]
                    items += items_of(at(of, place), *item["$items"])
                else:
                    items.append(self.resolve(item, own, (*place, len(items)), like))
            return items
        if not isinstance(value, dict):
            return value
        if value.keys() == {"$"}:
            return self.source(value["$"], own)
        if value.keys() == {"$join"}:
            texts = self.resolve(value["$join"], own, (0,))
            return "".join(str(text) if isinstance(text, Number) else text for text in texts)
        if value.keys() == {"$each"} and "each" in own:
            own["each"].add(len(value["$each"]))
            return self.resolve(items_of(value["$each"], own["place"], own["place"] + 1)[0], own)
        members = {}
        if "$like" in value and place == () and "/" not in own:
            like, members = value["$like"], dict(own[value["$like"] + "/"])
            for key in value.get("$without", []):
                del members[key]
            value = {key: value[key] for key in value if key not in ("$like", "$without")}
        for key, item in value.items():
            if re.fullmatch(r"\$+(join|like|without|items|of|each|file)?", key):
                if not key.startswith("$$"):
                    raise Refused("unsupported")
                key = key[1:]
            members[key] = self.resolve(item, own, (*place, key), like)
        return members

    def each(self, item, own):
        """The items for which an item stands, which are several if it has an `$each`."""
        lengths, place = set(), 0
        while place < max(lengths, default=1):
            yield self.resolve(item, {**own, "each": lengths, "place": place}, (0,))
            place += 1

    def unused(self):
        """The exchanges that nothing asked for."""
        return [one["id"] for one in self.exchanges if not one["played"]]


def at(value, keys):
    """What stands at a path."""
    for key in keys:
        if isinstance(value, list) and not re.fullmatch("0|[1-9][0-9]*", str(key)):
            raise LookupError("no place in a list")
        value = value[int(key) if isinstance(value, list) else key]
    return value


def items_of(items, start, end):
    if not isinstance(items, list) or int(start) >= int(end):
        raise LookupError("no items")
    return [at(items, [place]) for place in range(int(start), int(end))]
