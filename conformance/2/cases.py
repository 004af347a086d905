USER = lambda text: {"role": "user", "content": text}  # noqa: E731
BODY = {"model": "m", "messages": [USER("Hi")]}

case("plain", "one exchange, asked with other key order and white space",
    cassette(exchange(BODY)),
    ask('{ "messages": [{"content":"Hi","role":"user"}], "model": "m" }', gives(hash=digest(
        '{"body":{"messages":[{"content":"Hi","role":"user"}],"model":"m"},"endpoint":"openai","method":"POST","path":"/v1/chat/completions"}'))),
    ask(BODY, refused("played")),
    ask({"model": "n"}, refused("unmatched")))

case("references", "references of every kind",
    cassette(
        exchange({"model": "m", "messages": [USER({"$": "prompt"})]},
            {"renewed": ["id-1", 12], "body": {"id": {"$": 0}, "at": {"$": 1}, "text": {"$": "text"}, "p": {"$": "prompt"}, "m": {"$": "/messages/0/role"}}},
            text=["Hel", "lo"], prompt=["H", "i ", "you"]),
        exchange({"model": "m", "messages": [USER({"$": "exchange-1.prompt"}), {"role": "assistant", "content": {"$": "exchange-1.text"}},
              USER({"$join": ["a ", {"$": "exchange-1.0"}, {"$": "exchange-1.1"}]}), {"$": "exchange-1/messages/0"}],
              "cut": {"$": "exchange-1.prompt.1-3"}, "esc": {"$$each": 1, "$$$": 2, "$ref": 3}}),
    ),
    ask({"model": "m", "messages": [USER("Hi you")]}, gives('{"id":"id-1","at":12,"text":"Hello","p":"Hi you","m":"user"}')),
    ask({"model": "m", "messages": [USER("Hi you"), {"role": "assistant", "content": "Hello"}, USER("a id-112"), USER("Hi you")],
        "cut": "i you", "esc": {"$each": 1, "$$": 2, "$ref": 3}}, gives(exchange="exchange-2")))

case("like", "$like, $without, $items",
    cassette(
        exchange({"model": "m", "temperature": 1, "messages": [USER("a"), USER("b"), USER("c")]}),
        exchange({"$like": "exchange-1", "$without": ["temperature"], "messages": [{"$items": [0, 2]}, USER("d"), {"$items": [2, 3]}], "user": "u"}),
        exchange({"$like": "exchange-2", "messages": [{"$items": [0, 1], "$of": "exchange-1"}, {"$items": [0, 4]}, {"$": "exchange-2/messages/2"}]}, {"body": [{"$": "/user"}]}),
    ),
    ask({"model": "m", "messages": [USER("a"), USER("b"), USER("d"), USER("c")], "user": "u"}, gives(exchange="exchange-2")),
    ask({"model": "m", "messages": [USER("a"), USER("a"), USER("b"), USER("d"), USER("c"), USER("d")], "user": "u"}, gives('["u"]', exchange="exchange-3")),
    unused=["exchange-1"])

case("events", "named events, blocks, $each, end of lines",
    cassette(
        exchange({"n": 1}, {"events": [{"type": "a", "n": {"$each": ["x", "y"]}, "i": {"$each": [1, 2.50]}}, "[DONE]", ["ping", {"x": 1.0}], ["ping", "s"], [": hi\n\n"], {"n": 1}], "named": True}),
        exchange({"n": 2}, {"events": [{"type": "a"}, ["e", "x"]], "eol": "\r\n"}),
    ),
    ask({"n": 1}, stream('event: a\ndata: {"type":"a","n":"x","i":1}\n\n', 'event: a\ndata: {"type":"a","n":"y","i":2.5}\n\n', "data: [DONE]\n\n",
        'event: ping\ndata: {"x":1.0}\n\n', "event: ping\ndata: s\n\n", ": hi\n\n", 'data: {"n":1}\n\n')),
    ask({"n": 2}, stream('data: {"type":"a"}\r\n\r\n', "event: e\r\ndata: x\r\n\r\n", exchange="exchange-2")))

case("layouts", "layouts of JSON",
    cassette(
        exchange({"n": 1}, {"body": {"a": [1, {"b": []}], "c": {}}, "layout": {"indent": 2, "end": "\n"}}),
        exchange({"n": 2}, {"body": {"a": [1, "é\U0001f600\u007f"]}, "layout": {"spaced": True, "ascii": True}}),
        exchange({"n": 3}, {"text": ["a", "b"]}),
        exchange({"n": 4}, {"body": "\ud800/\u2028\u0007\"é"}),
    ),
    ask({"n": 1}, gives('{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ],\n  "c": {}\n}\n')),
    ask({"n": 2}, gives('{"a": [1, "\\u00e9\\ud83d\\ude00\x7f"]}', exchange="exchange-2")),
    ask({"n": 3}, gives("ab", exchange="exchange-3")),
    ask({"n": 4}, gives('"\\ud800/\u2028\\u0007\\"é"', exchange="exchange-4")))

case("numbers", "numbers are doubles, unless that loses digits",
    cassette(exchange({"a": 1, "b": 1e21, "c": 0.000001, "d": 1e-7, "e": 5, "f": 0}), exchange({"a": 9007199254740993}), exchange({"a": 12345678901234567000})),
    ask('{"a":1.0,"b":1000000000000000000000.0,"c":1e-6,"d":0.0000001,"e":50E-1,"f":-0}', refused("unmatched")),
    ask('{"a":1.0,"b":1e+21,"c":1e-6,"d":0.0000001,"e":50E-1,"f":-0.0}', gives()),
    ask('{"a":9007199254740992}', refused("unmatched")),
    ask('{"a":9007199254740993}', gives(exchange="exchange-2")),
    ask('{"a":12345678901234567001}', refused("unmatched")),
    unused=["exchange-3"])

CALL = lambda id: {"messages": [{"role": "assistant", "tool_calls": [{"id": id}]}, {"role": "tool", "tool_call_id": id}]}  # noqa: E731
case("calls", "ids of calls do not count, but go first",
    cassette(exchange(CALL("a")), exchange(CALL("b"))),
    ask(CALL("b"), gives(exchange="exchange-2")),
    ask(CALL("c"), gives(hash=digest(
        '{"body":{"messages":[{"role":"assistant","tool_calls":[{"id":"\\u0000call:1"}]},{"role":"tool","tool_call_id":"\\u0000call:1"}]},"endpoint":"openai","method":"POST","path":"/v1/chat/completions"}'))),
    ask({"messages": [CALL("a")["messages"][0], CALL("b")["messages"][1]]}, refused("unmatched")))

case("properties", "the order of properties counts",
    cassette(exchange({"tools": [{"properties": {"b": 1, "a": 2, "7": 3}}]})),
    ask({"tools": [{"properties": {"a": 2, "b": 1, "7": 3}}]}, refused("unmatched")),
    ask({"tools": [{"properties": {"7": 3, "b": 1, "a": 2}}]}, gives()))

case("order", "after",
    cassette(exchange({"n": 1}), exchange({"n": 2}, request={"after": "exchange-1"})),
    ask({"n": 2}, refused("turn")), ask({"n": 1}, gives()), ask({"n": 2}, gives(exchange="exchange-2")))

case("address", "what counts of an address",
    cassette(exchange({"n": 1}, url="https://api.openai.com/v1/x?b=2&a=1&b=1"), exchange({"n": 2}, url="http://localhost/x")),
    ask({"n": 1}, gives(), url="https://user:pw@API.openai.com:443/v1/x?api_key=zzz&a=1&b=2&b=1#f"),
    ask({"n": 2}, gives(exchange="exchange-2"), url="http://127.0.0.1:8080/x"),
    ask({"n": 1}, refused("unmatched"), url="https://api.openai.com/v1/x?b=1&a=1&b=2"))

case("headers", "headers that count",
    cassette(exchange({"n": 1}, request={"headers": {"anthropic-version": "2023-06-01"}})),
    ask({"n": 1}, refused("unmatched")),
    ask({"n": 1}, gives(), headers={"Anthropic-Version": " 2023-06-01 ", "Content-Type": "application/json", "user-agent": "x", "accept": "*/*, text/event-stream"}))

case("by-hand", "exchanges written by hand",
    cassette(
        {"prompt": {"text": "Hi \nyou\n", "metadata": {"provider": "openai", "model": "m"}}, "response": {"text": "Hello"}},
        {"id": "h", "prompt": {"text": "", "hash": "sha256-" + hashlib.sha256(b"Bye").hexdigest()}, "response": {"error": "no", "status": 429}},
        exchange({"model": "m", "messages": [USER("kept")]}),
    ),
    ask({"model": "x", "messages": [USER("Hi\nyou")]}, refused("unmatched")),
    ask({"model": "m", "messages": [{"role": "system", "content": "s"}, USER([{"type": "text", "text": "Hi"}, {"type": "text", "text": "you  "}])]}, written()),
    ask({"model": "m", "messages": [USER("Hi\nyou")]}, refused("played")),
    ask({"model": "m", "messages": [USER("Bye"), USER([{"type": "tool_result", "tool_use_id": "x"}])]}, written("h"), url="https://api.anthropic.com/v1/messages"),
    ask({"model": "m", "messages": [USER("kept")]}, gives(exchange="exchange-3")))

case("replaced", "a response that a person replaced",
    cassette({"prompt": {"text": "x"}, "request": {"method": "POST", "url": OPENAI, "body": BODY}, "response": {"text": "y"}}),
    ask(BODY, written()))

case("by-hand-unknown-format", "a format that a player cannot write is refused",
    cassette({"prompt": {"text": "x"}, "response": {"text": "y"}}),
    ask({"x": 1}, refused("unsupported"), url="https://api.openai.com/v1/odd"), unused=["exchange-1"])

case("empty-answer", "204 without a body", cassette(exchange({"n": 1}, {"status": 204, "headers": {}})), ask({"n": 1}, gives("", status=204, headers={})))

file = cassette(exchange({"n": 1}), exchange({"n": 2}))
case("sealed", "hashes and a seal that hold", sealed(file), ask({"n": 1}, gives()), unused=["exchange-2"])
case("sealed-crlf", "with a byte order mark and CRLF", sealed(file, lambda text: "\ufeff" + text.replace("\n", "\r\n")), unused=["exchange-1", "exchange-2"])
case("edited-response", "a response was edited", sealed(file, lambda text: text.replace('"ok":true', '"ok":false', 1)), ask({"n": 1}, gives('{"ok":false}')),
    unused=["exchange-2"], edited=["seal", "exchange-1"])
case("edited-hashes", "their number is wrong", sealed(file, lambda text: text.replace('"hashes":[', '"hashes":["..",')), unused=["exchange-1", "exchange-2"], edited=["seal", "hashes"])

for name, reason, text in [
    ("conflict", "json", "<<<<<<<\n{}"), ("twice", "json", '{"version":"2.0","version":"2.0"}'), ("nan", "json", '{"version":NaN}'),
    ("deep", "json", "[" * 1002 + "]" * 1002), ("major", "version", compact(cassette(version="3.0"))),
    ("old-recorded", "version", compact(cassette(exchange(BODY), version="1.3"))),
    ("member", "unsupported", compact(cassette(more=1))), ("marker", "unsupported", compact(cassette(exchange({"a": {"$each": [1]}})))),
    ("field", "field", compact(cassette(exchange(BODY, timestamp=1), timestamp=1)).replace('"timestamp":1}],', "}],").replace(',}', '}')),
    ("ids", "ids", compact(cassette(exchange(BODY, id="a"), exchange(BODY, id="a")))),
    ("forward", "reference", compact(cassette(exchange({"a": {"$": "exchange-2.0"}}), exchange(BODY)))),
    ("laughs", "reference", compact(cassette(exchange({"a": "x" * 100}), *[exchange({"a": [{"$": f"exchange-{n}/a"}] * 10}) for n in range(1, 12)]))),
    ("each-lengths", "body", compact(cassette(exchange(BODY, {"events": [{"a": {"$each": [1]}, "b": {"$each": [1, 2]}}]})))),
    ("no-event", "body", compact(cassette(exchange(BODY, {"events": [1]})))),
]:
    case("refused-" + name, "a file that is refused: " + reason, text, unreadable=reason)
case("old-by-hand", "a file without recorded exchanges may say 1.x", cassette(version="1.2"))

# Page 2

GET = lambda url, expect, **more: ask(None, expect, url=url, method="GET", headers={}, **more)  # noqa: E731
case("polls", "the last answer of a poll answers again; those left are not unused",
    cassette(exchange(None, {"body": 1}, url="https://a.b/x", method="GET"), exchange(None, {"body": 2}, url="https://a.b/x", method="GET"),
        exchange(None, {"body": 3}, url="https://a.b/y", method="GET"), exchange(None, {"body": 4}, url="https://a.b/y", method="GET"),
        exchange({"n": 1}, request={"after": "exchange-4"})),
    GET("https://a.b/x", gives("1")), GET("https://a.b/x", gives("2", "exchange-2")), GET("https://a.b/x", gives("2", "exchange-2")),
    ask({"n": 1}, refused("turn")), GET("https://a.b/y", gives("3", "exchange-3")), ask({"n": 1}, gives(exchange="exchange-5")), level="values")
for way, order in [("last", [1, 2, 2, 2]), ("cycle", [1, 2, 1, 2])]:
    case("repeats-" + way, "repeats: " + way, cassette(exchange(BODY), exchange(BODY)), *[ask(BODY, gives(exchange=f"exchange-{n}")) for n in order],
        level="values", options={"repeats": way})
case("ordered", "unordered: false", cassette(exchange({"n": 1}), exchange({"n": 2})), ask({"n": 2}, refused("turn")), ask({"n": 1}, gives()),
    ask({"n": 3}, refused("unmatched")), ask({"n": 2}, gives(exchange="exchange-2")), level="values", options={"unordered": False})
case("pieces", "strings that stream in pieces, in JSON; at other keys, each is a text of its own",
    cassette(exchange(BODY, {"events": [{"i": 0, "index": 0, "arguments": "{\"o\":\"{{or"}, {"index": 1, "arguments": "{{order}}"}, {"index": 0, "arguments": "der}}\"}"},
        {"other": "{{or"}, {"other": "der}}"}, {"id": "{{order}}"}, {"id": "{{order}}"}, {"n": "{{order:number}}"}]}), params={"order": "1"}),
    ask(BODY, stream('data: {"i":0,"index":0,"arguments":"{\\"o\\":\\"22"}\n\n', 'data: {"index":1,"arguments":"22"}\n\n', 'data: {"index":0,"arguments":"\\"}"}\n\n',
        'data: {"other":"{{or"}\n\n', 'data: {"other":"der}}"}\n\n', 'data: {"id":"22"}\n\n', 'data: {"id":"22"}\n\n', 'data: {"n":22}\n\n')), level="values", options={"params": {"order": "22"}})
case("samples", "a run of sample 2", cassette(exchange(BODY), exchange(BODY, {"body": 2}, sample=2)), ask(BODY, gives("2", "exchange-2")), ask(BODY, refused("played")),
    level="values", options={"sample": 2})
case("no-sample", "a run of a sample that is not there", cassette(exchange(BODY)), ask(BODY, refused("sample")), level="values", options={"sample": 3})

case("params", "parameters in requests and in responses that stream",
    cassette(exchange({"messages": [USER("Where is {{order}}, 4711{{=order}}?")], "n": "{{order:number}}", "s": "{\"o\":\"{{order:number}}\"}"},
        {"events": [{"delta": {"$each": ["It is {{or", "der}}", "!"]}}, {"n": "{{order:number}}", "t": "a {{=order}}"}]}), params={"order": "4711"}),
    ask('{"messages":[{"role":"user","content":"Where is 815, 4711{{order}}?"}],"n":815,"s":"{\\"o\\":815}"}',
        stream('data: {"delta":"It is 815"}\n\n', 'data: {"delta":""}\n\n', 'data: {"delta":"!"}\n\n', 'data: {"n":815,"t":"a {{order}}"}\n\n')),
    level="values", options={"params": {"order": "815"}})
case("params-undeclared", "a parameter that the test does not declare", cassette(exchange(BODY), params={"order": "1"}), ask(BODY, refused("params")),
    level="values", unused=["exchange-1"])
case("params-words", "whole words, the longest first", cassette(exchange({"a": "{{x}} {{y}} 15.5 5a {{x}}, {{x}}"}), params={"x": "5", "y": "5-6"}),
    ask({"a": "5 5-6 15.5 5a 5, 5"}, gives()), ask({"a": "5 5-6 5.5 5a 5, 5"}, refused("unmatched")), level="values", options={"params": {"x": "5", "y": "5-6"}})

KEY = "sk-abcdefgh12345678"
case("placeholders", "credentials of the environment and of headers",
    cassette(exchange({"a": "key <REDACTED:OPENAI_API_KEY> <REDACTED:=X>", "b": "<REDACTED:x-api-key>"}, {"body": "<REDACTED:OPENAI_API_KEY> <REDACTED:=X>"})),
    ask({"a": f"key {KEY} <REDACTED:X>", "b": "zzzzzzzzzzzz9999"}, gives('"<REDACTED:OPENAI_API_KEY> <REDACTED:X>"'), headers={"x-api-key": "zzzzzzzzzzzz9999"}),
    level="values", options={"env": {"OPENAI_API_KEY": KEY, "HOME": "/root/abcdefgh1234567"}})
case("placeholder-unset", "a value that is no credential counts as itself",
    cassette(exchange({"a": "<REDACTED:OPENAI_API_KEY>"})), ask({"a": "test"}, gives()), level="values", options={"env": {"OPENAI_API_KEY": "test"}})
case("tool-servers", "credentials of servers of tools",
    cassette(exchange({"tools": [{"type": "mcp", "authorization": "<REDACTED:authorization>", "headers": {"X-Key": "<REDACTED:x-key>"}}]})),
    ask({"tools": [{"type": "mcp", "authorization": "abc", "headers": {"X-Key": "def"}}]}, gives()), level="values")

ID = lambda n: f"{n}" * 8 + "-1111-1111-1111-111111111111"  # noqa: E731
case("volatile", "volatile values are pairs, and stand in responses",
    cassette(exchange({"id": ID(1), "again": ID(1), "at": "2026-01-01T00:00:00Z"}, {"body": {"got": ID(1), "o": ID(2)}}), exchange({"x": ID(1)}), exchange({"y": ID(2)})),
    ask({"id": ID(3), "again": ID(3), "at": "2026-02-01T00:00:00Z"}, gives(compact({"got": ID(3), "o": ID(2)}), hash=digest(
        '{"body":{"again":"\\u0000volatile:uuid:1\\u0000","at":"\\u0000volatile:iso-datetime\\u0000","id":"\\u0000volatile:uuid:1\\u0000"},"endpoint":"openai","method":"POST","path":"/v1/chat/completions"}'))),
    ask({"x": ID(4)}, refused("volatile")), ask({"x": ID(3)}, gives(exchange="exchange-2")), ask({"y": ID(5)}, gives(exchange="exchange-3")),
    level="values", options={"volatile": ["uuid", "iso-datetime"]})
case("volatile-path", "at a path, turned back where the rule finds nothing",
    cassette(exchange({"metadata": {"run": "run-a"}}, {"body": "for run-a"}), exchange({"text": "see run-a"}), exchange({"metadata": {"run": 7}})),
    ask({"metadata": {"run": "run-b"}}, gives('"for run-b"')), ask({"text": "see run-b"}, gives(exchange="exchange-2")), ask({"metadata": {"run": 8}}, gives(exchange="exchange-3")),
    level="values", options={"volatile": ["$.metadata.run"]})
case("volatile-expression", "an expression, and a field that is not searched",
    cassette(exchange({"a": "id-1 id-2", "model": "id-3"})), ask({"a": "id-7 id-8", "model": "id-4"}, refused("unmatched")), ask({"a": "id-7 id-7", "model": "id-3"}, refused("unmatched")),
    ask({"a": "id-7 id-8", "model": "id-3"}, gives()), level="values", options={"volatile": ["/id-\\d/g"]})

SOCKET = "wss://api.openai.com/v1/realtime"
SEND = lambda body, expect, after: ask(body, expect, url=SOCKET, method="SEND", headers={}, after=after)  # noqa: E731
case("sockets", "messages on a socket, after one another",
    cassette(exchange(None, {"headers": {}, "lines": [{"type": "hello"}], "eol": "\n"}, url=SOCKET, method="GET", request={"headers": {"sec-websocket-protocol": ""}}),
        exchange({"n": 1}, {"headers": {}, "lines": [{"a": 1}, "raw"]}, url=SOCKET, method="SEND", request={"after": "exchange-1"}),
        exchange({"n": 1}, {"headers": {}, "lines": [{"a": 2}]}, url=SOCKET, method="SEND", request={"after": "exchange-2"})),
    GET(SOCKET, gives('{"type":"hello"}\n', headers={})), SEND({"n": 1}, stream('{"a":1}\n', "raw", headers={}, exchange="exchange-2"), 0),
    SEND({"n": 1}, gives('{"a":2}\n', headers={}, exchange="exchange-3"), 1), SEND({"n": 1}, refused("unmatched"), 2), level="values")

def frame_of(headers, payload):
    import binascii, struct  # noqa: E401
    lines = b"".join(bytes([len(n)]) + n.encode() + b"\7" + struct.pack(">H", len(v)) + v.encode() for n, v in headers.items())
    data = struct.pack(">II", 16 + len(lines) + len(payload), len(lines))
    data += struct.pack(">I", binascii.crc32(data)) + lines + payload.encode()
    return data + struct.pack(">I", binascii.crc32(data))
THREE = lambda name: {":event-type": name, ":content-type": "application/json", ":message-type": "event"}  # noqa: E731
made = [frame_of(THREE("a"), '{"x":"1"}'), frame_of(THREE("a"), '{"x":"2"}'), frame_of({"k": "v"}, "text"),
    frame_of(THREE("chunk"), compact({"bytes": base64.b64encode(b'{"t":1}').decode(), "p": 1}))]
case("frames", "Amazon's event stream", cassette(exchange({"n": 1}, {"frames": [{"event": "a", "data": {"x": {"$each": ["1", "2"]}}}, {"headers": {"k": "v"}, "data": "text"},
        {"event": "chunk", "chunk": {"t": 1}, "data": {"p": 1}}, {"bytes": base64.b64encode(made[0]).decode()}]})),
    ask({"n": 1}, {"exchange": "exchange-1", "status": 200, "headers": JSON_TYPE, "base64": base64.b64encode(b"".join(made) + made[0]).decode(), "pieces": [len(f) for f in made + made[:1]]}), level="values")
asked = frame_of({"k": "v"}, '{"a":1}')
case("frames-asked", "a request of frames", cassette(exchange(None, request={"frames": [{"headers": {"k": "v"}, "data": {"a": 1.0}}]})),
    ask(None, gives(), base64=base64.b64encode(asked).decode()), level="values")

PNG = b"\x89PNG\0"
name = hashlib.sha256(PNG).hexdigest() + ".png"
form = "--X\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nm\r\n--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"
case("forms", "a multipart form with a file", cassette(exchange(None, request={"form": [{"name": "model", "text": {"$": "prompt"}}, {"name": "file", "filename": "a.png", "type": "image/png", "file": name}]}, prompt="m")),
    ask(None, gives(), base64=base64.b64encode(form.encode() + PNG + b"\r\n--X--\r\n").decode(), headers={"content-type": "multipart/form-data; boundary=X"}),
    level="values", blobs={name: base64.b64encode(PNG).decode()})
case("files", "bytes beside the cassette", cassette(exchange({"image": {"$file": name, "before": "data:image/png;base64,"}}, {"file": name}), exchange(None, {"base64": ["iVBO", "RwA="]}, request={"base64": "iVBORwA="})),
    ask({"image": "data:image/png;base64,iVBORwA="}, {"exchange": "exchange-1", "status": 200, "headers": JSON_TYPE, "base64": "iVBORwA="}),
    ask(None, {"exchange": "exchange-2", "status": 200, "headers": JSON_TYPE, "base64": "iVBORwA="}, base64="iVBORwA="), level="values", blobs={name: base64.b64encode(PNG).decode()})
case("file-missing", "a file that is not there", cassette(exchange(BODY, {"file": name})), level="values", unreadable="file")
case("lines", "JSON lines, asked and sent", cassette(exchange(None, {"lines": [{"a": 1}, "x\r\n"], "layout": {"spaced": True}}, request={"lines": [{"b": 1}, "{\"b\": 2}\n"]})),
    ask('{"b":1}\n{"b": 2.0}', stream('{"a": 1}\n', "x\r\n")), level="values")
case("texts", "a text, and an encoding", cassette(exchange(None, request={"text": ["he", "llo"]})),
    ask(None, gives(), base64=base64.b64encode(__import__("gzip").compress(b"hello", mtime=0)).decode(), headers={"content-encoding": "gzip"}), level="values")
case("brotli", "an encoding that is not known", cassette(exchange(BODY)), ask(BODY, refused("unsupported"), headers={"content-encoding": "br"}), level="values", unused=["exchange-1"])
case("cut", "responses that broke off", cassette(exchange({"n": 1}, {"text": "ab", "cut": True}), exchange({"n": 2}, {"events": ["a", "b"], "aborted": 1})),
    ask({"n": 1}, gives("ab", cut=True)), ask({"n": 2}, gives("data: a\n\n", exchange="exchange-2", aborted=1)), level="values")
case("header-readings", "what is done to headers", cassette(exchange({"n": 1}, request={"headers": {"anthropic-beta": "a, b", "accept": "image/png"}})),
    ask({"n": 1}, gives(), headers={"Anthropic-Beta": "b,a, b", "accept": "image/png;q=0.5, */*", "host": "api.openai.com"}), level="values")
case("address-2", "credentials and bytes in the query, paths", cassette(exchange({"n": 1}, url="https://a.b/x/%7Bz%7D?q=%ff&code=short")),
    ask({"n": 1}, gives(hash=digest('{"body":{"n":1},"endpoint":"a.b","method":"POST","path":"/x/%7Bz%7D","query":["code=short","q=\\udcff"]}')),
        url="https://a.b/y/../x/./{z}?code=short&q=%FF&sig=1&X-Amz-Date=2#z"), level="values")
IMPORTED = lambda **more: {"from": "vcr", **more}  # noqa: E731
case("imported", "parts that another tool did not tell", cassette(
        exchange({"a": "key XXXX end", "p": {"properties": {"a": 1, "b": 2}}}, url="https://unknown/x", request={"imported": IMPORTED(unknown=["host", "path", "headers"], respelled=True, redacted=["XXXX"])}),
        exchange({"z": 1}, request={"imported": IMPORTED(unknown=["body"])})),
    ask({"z": 1}, refused("unmatched")), ask({"p": {"properties": {"b": 2, "a": 1}}, "a": "key secret end"}, gives()), level="values")
case("mcp", "a message to an MCP server, and a call", cassette(
        exchange({"method": "tools/call", "params": {"name": "x"}}, url="mcp://my%20server"), exchange({"a": 1}, url="local:f", method="CALL"),
        exchange({"method": "initialize", "params": {"capabilities": {}}}, url="mcp://my%20server")),
    ask({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "x", "_meta": {"progressToken": 1}}}, gives(), url="mcp://my%20server"),
    ask({"a": 1}, gives(exchange="exchange-2"), url="local:f", method="CALL"),
    ask({"jsonrpc": "2.0", "id": 4, "method": "initialize", "params": {"capabilities": {}, "clientInfo": {}}}, gives(exchange="exchange-3"), url="mcp://my%20server"), level="values")

# More of both pages

OUT = lambda id: {"type": "function_call_output", "call_id": id}  # noqa: E731
CALLED = lambda id: {"type": "function_call", "call_id": id, "id": "fc_" + id}  # noqa: E731
case("calls-far", "a result whose call is elsewhere keeps its id; roots",
    cassette(exchange({"input": [OUT("a")]}), exchange({"input": [CALLED("a"), OUT("a")]}), exchange({"body": CALL("a")})),
    ask({"input": [OUT("b")]}, refused("unmatched")), ask({"input": [OUT("a")]}, gives()),
    ask({"input": [CALLED("b"), OUT("b")]}, gives(exchange="exchange-2")), ask({"body": CALL("b")}, gives(exchange="exchange-3")))
case("url-references", "references in the address, and lists of headers",
    cassette(exchange({"n": 1}, {"renewed": ["file-1"], "headers": {"set-cookie": ["a", "b"]}, "body": {"id": {"$": 0}}}),
        exchange({"n": 2}, url={"$join": ["https://api.openai.com/v1/files/", {"$": "exchange-1.0"}]})),
    ask({"n": 1}, gives('{"id":"file-1"}', headers={"set-cookie": ["a", "b"]})), ask({"n": 2}, gives(exchange="exchange-2"), url="https://api.openai.com/v1/files/file-1"))
case("passed-over", "an exchange that waits is passed over",
    cassette(exchange({"n": 1}), exchange(BODY, {"body": 1}, request={"after": "exchange-1"}), exchange(BODY, {"body": 2})),
    ask(BODY, gives("2", "exchange-3")), ask(BODY, refused("turn")), ask({"n": 1}, gives()), ask(BODY, gives("1", "exchange-2")))
text = '{"body":{"messages":[{"content":"zz","role":"user"}]},"endpoint":"openai","method":"POST","path":"/v1/chat/completions"}'
case("by-hand-hash", "a hash of the canonical form; the instructions",
    cassette({"prompt": {"text": "", "hash": digest(text)[:22]}, "response": {"tool_calls": [{"tool_name": "x"}]}}, {"prompt": {"text": "Be nice"}, "response": {"text": ["a", "b"]}}),
    ask({"messages": [USER("zz")]}, written()), ask({"messages": [{"role": "developer", "content": "Be nice "}]}, written("exchange-2")))
case("by-hand-streamed", "an answer by hand that streams", cassette({"prompt": {"text": "Hi"}, "response": {"text": "a"}}),
    ask({**BODY, "stream": True}, written()))
case("nul", "texts that begin with NUL", cassette(exchange({"a": "\0call:1"})), ask({"a": "\0call:1"}, gives(hash=digest(
    '{"body":{"a":"\\u0000\\u0000call:1"},"endpoint":"openai","method":"POST","path":"/v1/chat/completions"}'))))
case("utf16", "keys are sorted by UTF-16 units", cassette(exchange({"\uff5e": 1, "\U0001f600": 2})), ask({"\U0001f600": 2, "\uff5e": 1}, gives(hash=digest(
    '{"body":{"\U0001f600":2,"\uff5e":1},"endpoint":"openai","method":"POST","path":"/v1/chat/completions"}'))))
item = exchange(BODY)
right = digest('{"body":{"messages":[{"content":"Hi","role":"user"}],"model":"m"},"endpoint":"openai","method":"POST","path":"/v1/chat/completions"}')[:22]
for name, rules, hash, found in [("right", [1], right, []), ("wrong", [1], "x" * 22, ["exchange-1"]), ("other-rules", [2], "x" * 22, []), ("volatile-rules", [1, "uuid"], "x" * 22, [])]:
    case("hashes-" + name, "canonical hashes", cassette(item, rules=rules, hashes=[f"{hash}.." + digest(compact(item["response"]))[:22]]), unused=["exchange-1"], edited=found)
case("hashes-volatile", "rules of the test", cassette(item, rules=[1, "uuid"], hashes=["x" * 22 + ".." + digest(compact(item["response"]))[:22]]), unused=["exchange-1"], edited=["exchange-1"],
    level="values", options={"volatile": ["uuid"]})
case("volatile-texts", "in JSON in strings, in numbers, in keys",
    cassette(exchange({"s": compact({"id": ID(1), "t": 1700000000}), "n": 1700000001, "k": {ID(2): 1}, "version": ID(9)}, {"events": [{"delta": {"$each": ["got " + ID(1)[:9], ID(1)[9:] + "!"]}}, {"arguments": compact({"x": ID(2)})}]})),
    ask({"s": compact({"id": ID(3), "t": 1700000009}), "n": 1712345678, "k": {ID(4): 1}, "version": ID(9)},
        stream(f'data: {{"delta":"got {ID(3)}"}}\n\n', 'data: {"delta":"!"}\n\n', "data: " + compact({"arguments": compact({"x": ID(4)})}) + "\n\n")),
    level="values", options={"volatile": ["uuid", "epoch"]})
case("oauth", "token requests and bearer tokens",
    cassette(exchange(None, request={"text": "grant_type=refresh_token&refresh_token=<REDACTED:refresh_token>"}), exchange({"t": "x <REDACTED:authorization>"})),
    ask("grant_type=refresh_token&refresh_token=abc", gives()), ask({"t": "x sk-0123456789abcdef"}, gives(exchange="exchange-2"), headers={"authorization": "Bearer sk-0123456789abcdef"}), level="values")
case("digests", "headers of which a digest counts", cassette(exchange({"n": 1}, request={"headers": {"x-portkey-virtual-key": "digest " + hashlib.sha256(b"abc").hexdigest()[:12]}})),
    ask({"n": 1}, gives(), headers={"x-portkey-virtual-key": "abc"}), level="values")
case("aborted-before-headers", "the client gave up before the headers", cassette(exchange({"n": 1}, {"text": "ab", "aborted": "before-headers"})),
    ask({"n": 1}, gives("", aborted="before-headers")), level="values")
case("two-bodies", "at most one kind of body", cassette(exchange({"n": 1}, {"text": "a", "body": 1})), unreadable="field")
