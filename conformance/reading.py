"""The first half of format.md: what a file has, and what its references stand for."""

import json
import re
from pathlib import Path
from ecmascript import Number, is_tree, parse, parts_of, write

MEMBERS, TABLES = (
    json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8"))
    for name in ("members", "tables")
)
REASONS = ["json", "version", "unsupported", "field", "ids", "reference", "body", "file"]


class Refused(Exception):
    """Its argument is the reason."""


def at(value, keys):
    """What stands at a path."""
    for key in keys:
        if isinstance(value, list) and not re.fullmatch("0|[1-9][0-9]*", str(key)):
            raise LookupError("no place in a list")
        value = value[int(key) if isinstance(value, list) else key]
    return value


class File:
    """A file. Its exchanges get `asked` and `sent`: the request and what is sent, resolved."""

    members, bodies, known_options = MEMBERS["members"], ["body", "events", "text"], {"env"}

    def __init__(self, data, options={}, blobs={}):
        """The bytes of a file, the options of a test, and the files beside the cassette."""
        self.data, self.options, self.blobs = data, options, blobs
        self.sources, self.sizes, self.total, found = {}, {}, 0, set()
        try:
            if len(data) > 32 * 2**20:
                raise ValueError("too large")
            self.file = parse(data.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            raise Refused("json")
        root = self.file if isinstance(self.file, dict) else {}
        self.exchanges = parts_of(root.get("exchanges"))
        is_recorded = any("request" in one for one in self.exchanges if isinstance(one, dict))
        if not re.fullmatch(r"2\.\d+" if is_recorded else r"[12]\.\d+", str(root.get("version"))):
            raise Refused("version")
        if options.keys() - self.known_options:
            found.add("unsupported")
        self.check(self.file, "{file}", found)
        for place, exchange in enumerate([] if "field" in found else self.exchanges, 1):
            exchange.setdefault("id", f"exchange-{place}")
            try:
                self.prepare(exchange)
            except Refused as refused:
                found.add(refused.args[0])
            except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
                found.add("reference")
        if found:
            raise Refused(min(found, key=REASONS.index))
        try:
            for exchange in self.exchanges:
                self.count(exchange)
        except ValueError:
            raise Refused("field")  # An address that is none

    def check(self, value, kind, found):
        """Adds to `found` the reasons for which a value is not of a kind of members.json."""
        if kind[0] == "[" and isinstance(value, list):
            for item in value:
                self.check(item, f"{{{kind[1:-1]}}}", found)
        elif kind[0] == "{" and isinstance(value, dict):
            members = self.members[kind[1:-1]]
            found |= {"field" for name in members if name[-1] != "?" and name not in value}
            for name in value:
                of = members.get(name, members.get(name + "?"))
                self.check(value[name], of, found) if of else found.add("unsupported")
        elif not re.fullmatch(MEMBERS["types"].get(kind, "(?!)"), write(value), re.A):
            found.add("field")

    def prepare(self, exchange):
        """Resolves the references of an exchange."""
        id, response = exchange["id"], exchange["response"]
        request, sent = {**exchange.get("request", {})}, {**response.get("sent", {})}
        exchange.update(asked=request, sent=sent, played=0)
        if id + "/" in self.sources:
            raise Refused("ids")
        is_replayed = request and sent
        is_told = is_replayed or {"text", "tool_calls", "error"} & {*response}
        if not is_told or any(len({*self.bodies} & {*of}) > 1 for of in (request, sent)):
            raise Refused("field")
        own = {**self.sources, "prompt": exchange["prompt"]["text"]}
        if "after" in request:
            own[request["after"] + "/"]
        self.resolve_members(request, ["url", *self.bodies], own)
        made = {str(place): value for place, value in enumerate(sent.get("renewed", []))}
        made.update({"prompt": own["prompt"], "text": response.get("text", "")})
        own.update({**made, "/": request.get("body")})
        self.resolve_members(sent, self.bodies, own)
        self.sources.update({f"{id}.{name}": value for name, value in made.items()})
        self.sources[id + "/"] = own["/"]
        self.total += sum(self.size(of.get(name)) for of in (request, sent) for name in self.bodies)
        if self.total > 2**29:
            raise Refused("reference")
        try:
            self.chunks(sent)
        except (ValueError, LookupError, TypeError, AttributeError):
            raise Refused("body")

    def resolve_members(self, holder, names, own):
        for name in [name for name in names if name in holder]:
            if name in ("events", "lines", "frames"):
                holder[name] = [one for item in holder[name] for one in self.each(item, own)]
            else:
                holder[name] = self.resolve(holder[name], own)

    def source(self, name, own):
        """The value at a source."""
        found = re.fullmatch(r"(.*(?:prompt|text))(?:\.(\d+)-(\d+))?", str(name), re.A)
        if found and found[2]:
            return "".join(self.items(own[found[1]], found[2], found[3]))
        if found:
            return "".join(own[found[1]])
        id, slash, pointer = str(name).partition("/")
        keys = [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/") if slash]
        return at(own[id + slash], keys)

    def items(self, items, start, end):
        if not isinstance(items, list):
            raise TypeError("no list")
        return [at(items, [place]) for place in range(int(start), int(end))]

    def resolve(self, value, own, place=(), like=None):
        """A value with what its markers stand for; `own` has the values at sources."""
        if isinstance(value, list):
            items = []
            for item in value:
                if like and isinstance(item, dict) and item.keys() - {"$of"} == {"$items"}:
                    items += self.items(
                        at(own[item.get("$of", like) + "/"], place), *item["$items"]
                    )
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
        if value.keys() == {"$each"} and "$each" in own:
            return self.one_of(value["$each"], *own["$each"])
        members = {}
        if "$like" in value and place == () and "/" not in own:
            like, without = value["$like"], value.get("$without", [])
            members = {key: item for key, item in own[like + "/"].items() if key not in without}
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
        lengths = set()
        yield self.resolve(item, {**own, "$each": (lengths, 0)}, (0,))
        for place in range(1, max(lengths, default=1)):
            yield self.resolve(item, {**own, "$each": (lengths, place)}, (0,))

    def one_of(self, values, lengths, place):
        is_known = isinstance(values, list) and all(
            isinstance(one, (str, Number)) for one in values
        )
        if not is_known or not values or lengths - {len(values)}:
            raise Refused("body")
        lengths.add(len(values))
        return values[place]

    def unused(self):
        """The exchanges that nothing asked for."""
        return [one["id"] for one in self.exchanges if not one["played"]]

    def size(self, value):
        """The length of a value as JSON. What stands in several places is measured once."""
        if not is_tree(value):
            return len(str(value)) + 2
        if id(value) not in self.sizes:
            keys = value if isinstance(value, dict) else []
            self.sizes[id(value)] = sum(self.size(part) + 1 for part in [*keys, *parts_of(value)])
        return self.sizes[id(value)]
