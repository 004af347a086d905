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
    ask({"n": 2}, gives('{"a": [1, "\\u00e9\\ud83d\\ude00\\u007f"]}', exchange="exchange-2")),
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
    ask({"n": 1}, gives(), url="https://api.openai.com/v1/x?api_key=zzz&a=1&b=2&b=1"),
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
    ("major", "version", compact(cassette(version="3.0"))),
    ("old-recorded", "version", compact(cassette(exchange(BODY), version="1.3"))),
    ("member", "unsupported", compact(cassette(more=1))), ("marker", "unsupported", compact(cassette(exchange({"a": {"$each": [1]}})))),
    ("field", "invalid", compact(cassette(exchange(BODY, timestamp=1), timestamp=1)).replace('"timestamp":1}],', "}],").replace(',}', '}')),
    ("ids", "invalid", compact(cassette(exchange(BODY, id="a"), exchange(BODY, id="a")))),
    ("forward", "invalid", compact(cassette(exchange({"a": {"$": "exchange-2.0"}}), exchange(BODY)))),
    ("each-lengths", "invalid", compact(cassette(exchange(BODY, {"events": [{"a": {"$each": [1]}, "b": {"$each": [1, 2]}}]})))),
    ("no-event", "invalid", compact(cassette(exchange(BODY, {"events": [1]})))),
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
case("pieces", "strings that stream in pieces, in JSON; ids are texts of their own",
    cassette(exchange(BODY, {"events": [{"i": 0, "index": 0, "arguments": "{\"o\":\"{{or"}, {"index": 1, "arguments": "{{order}}"}, {"index": 0, "arguments": "der}}\"}"},
        {"id": "{{order}}"}, {"id": "{{order}}"}, {"n": "{{order:number}}"}]}), params={"order": "1"}),
    ask(BODY, stream('data: {"i":0,"index":0,"arguments":"{\\"o\\":\\"22"}\n\n', 'data: {"index":1,"arguments":"22"}\n\n', 'data: {"index":0,"arguments":"\\"}"}\n\n',
        'data: {"id":"22"}\n\n', 'data: {"id":"22"}\n\n', 'data: {"n":22}\n\n')), level="values", options={"params": {"order": "22"}})
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
    level="values")
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
    cassette(exchange({"metadata": {"run": "run-1"}}, {"body": "for run-1"}), exchange({"text": "see run-1"}), exchange({"metadata": {"run": 7}})),
    ask({"metadata": {"run": "run-2"}}, gives('"for run-2"')), ask({"text": "see run-2"}, gives(exchange="exchange-2")), ask({"metadata": {"run": 8}}, gives(exchange="exchange-3")),
    level="values", options={"volatile": ["$.metadata.run"]})
case("volatile-expression", "an expression, and a field that is not searched",
    cassette(exchange({"a": "compare id-1 with id-2 at once", "model": "id-3"})), ask({"a": "compare id-7 with id-8 at once", "model": "id-4"}, refused("unmatched")), ask({"a": "compare id-7 with id-7 at once", "model": "id-3"}, refused("unmatched")),
    ask({"a": "compare id-7 with id-8 at once", "model": "id-3"}, gives()), level="values", options={"volatile": ["/id-\\d/g"]})

SOCKET = "wss://api.openai.com/v1/realtime"
SEND = lambda body, expect, after: ask(body, expect, url=SOCKET, method="SEND", headers={}, after=after)  # noqa: E731
case("sockets", "messages on a socket, after one another",
    cassette(exchange(None, {"headers": {}, "lines": [{"type": "hello"}], "eol": "\n"}, url=SOCKET, method="GET"),
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
case("cut", "responses that broke off", cassette(exchange({"n": 1}, {"text": "ab", "cut": True}), exchange({"n": 2}, {"events": ["a", "b"], "aborted": 1})),
    ask({"n": 1}, gives("ab", cut=True)), ask({"n": 2}, gives("data: a\n\n", exchange="exchange-2", aborted=1)), level="values")
case("header-readings", "what is done to headers", cassette(exchange({"n": 1}, request={"headers": {"anthropic-beta": "a, b", "accept": "image/png"}})),
    ask({"n": 1}, gives(), headers={"Anthropic-Beta": "b,a, b", "accept": "image/png;q=0.5, */*", "host": "api.openai.com"}), level="values")
case("address-2", "credentials and bytes in the query, paths", cassette(exchange({"n": 1}, url="https://a.b/x/%7Bz%7D?q=%ff&code=short")),
    ask({"n": 1}, gives(hash=digest('{"body":{"n":1},"endpoint":"a.b","method":"POST","path":"/x/%7Bz%7D","query":["code=short","q=\\udcff"]}')),
        url="https://a.b/x/%7Bz%7D?code=short&q=%FF&sig=1&X-Amz-Date=2"), level="values")
IMPORTED = lambda **more: {"from": "vcr", **more}  # noqa: E731
case("imported", "parts that another tool did not tell", cassette(
        exchange({"a": "key XXXX end", "p": {"properties": {"b": 2, "a": 1}}}, url="https://unknown/x", request={"imported": IMPORTED(unknown=["host", "path", "headers"], respelled=True, redacted=["XXXX"])}),
        exchange({"z": 1}, request={"imported": IMPORTED(unknown=["body"])})),
    ask({"z": 1}, refused("unmatched")), ask({"p": {"properties": {"a": 1, "b": 2}}, "a": "key secret end"}, gives()), level="values", unused=["exchange-2"])
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
case("by-hand-hash", "a hash of the canonical form; a text in the place of a hash",
    cassette({"prompt": {"text": "", "hash": digest(text)[:22]}, "response": {"tool_calls": [{"tool_name": "x"}]}}, {"prompt": {"text": "Be nice", "hash": "sha256-hash-of-prompt"}, "response": {"text": ["a", "b"]}}),
    ask({"messages": [USER("zz")]}, written()), ask({"messages": [USER("Be nice ")]}, written("exchange-2")))
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
case("two-bodies", "at most one kind of body", cassette(exchange({"n": 1}, {"text": "a", "body": 1})), unreadable="invalid")

# Each rule once more, where the cases above would not notice that it is missing

FORM = lambda body, path="/v1/chat/completions", endpoint="openai", **more: digest(compact({"body": body, "endpoint": endpoint, **more, "method": "POST", "path": path}))  # noqa: E731
CHAT = "/v1/chat/completions"
nested = lambda levels: compact(cassette(exchange({"a": []}))).replace('{"a":[]}', '{"a":' + "[" * levels + "]" * levels + "}")  # noqa: E731
case("deep-is-read", "1,000 levels are read", nested(996), unused=["exchange-1"])
case("minor", "a later minor version is read", cassette(exchange({"n": 1}), version="2.7"), ask({"n": 1}, gives()))
case("refused-old-major", "a file without recorded exchanges of another major version", cassette(version="3.0"), unreadable="version")
BY_HAND = {"prompt": {"text": "Hi"}, "response": {"text": "a"}}
for name, reason, file in [
    ("member-of-exchange", "unsupported", cassette(exchange({"n": 1}, more=1))),
    ("member-of-layout", "unsupported", cassette(exchange({"n": 1}, {"body": 1, "layout": {"tabs": True}}))),
    ("member-of-usage", "unsupported", cassette(exchange({"n": 1}, response={"usage": {"tokens": 1}}))),
    ("each-in-body", "unsupported", cassette(exchange({"n": 1}, {"body": {"a": {"$each": [1]}}}))),
    ("like-inside", "unsupported", cassette(exchange({"n": 1}), exchange({"a": {"$like": "exchange-1"}}))),
    ("like-in-sent", "unsupported", cassette(exchange({"n": 1}), exchange({"n": 2}, {"body": {"$like": "exchange-1"}}))),
    ("items-alone", "unsupported", cassette(exchange({"a": [1]}), exchange({"a": [{"$items": [0, 1], "$of": "exchange-1"}]}))),
    ("marker-and-key", "unsupported", cassette(exchange({"n": {"$": "prompt", "a": 1}}))),
    ("status", "invalid", cassette(exchange({"n": 1}, {"status": 600, "body": 1}))),
    ("status-of-response", "invalid", cassette({"prompt": {"text": "Hi"}, "response": {"error": "a", "status": 200}})),
    ("id", "invalid", cassette(exchange({"n": 1}, id="a b"))),
    ("time", "invalid", cassette(timestamp="2026-11-26T16:26:47+01:00")),
    ("no-prompt", "invalid", cassette({"response": {"text": "a"}})),
    ("no-text", "invalid", cassette({"prompt": {"text": "a"}, "response": {"reasoning": "b"}})),
    ("no-text-replaced", "invalid", cassette({"prompt": {"text": "x"}, "request": {"method": "POST", "url": OPENAI, "body": BODY}, "response": {"reasoning": "b"}})),
    ("no-list", "invalid", cassette(exchanges={})),
    ("body-of-a-request", "invalid", cassette(exchange("text"))),
    ("false", "invalid", cassette(exchange({"n": 1}, response={"incomplete": False}))),
    ("two-bodies", "invalid", cassette(exchange({"n": 1}, {"body": 1, "events": []}))),
    ("ids-by-place", "invalid", cassette(exchange({"n": 1}, id="exchange-2"), exchange({"n": 2}))),
    ("after-later", "invalid", cassette(exchange({"n": 1}, request={"after": "exchange-2"}), exchange({"n": 2}))),
    ("after-itself", "invalid", cassette(exchange({"n": 1}, request={"after": "exchange-1"}))),
    ("pointer", "invalid", cassette(exchange({"a": 1}), exchange({"n": {"$": "exchange-1/b"}}))),
    ("place", "invalid", cassette(exchange({"a": [1, 2]}), exchange({"n": {"$": "exchange-1/a/01"}}))),
    ("place-behind", "invalid", cassette(exchange({"a": [1, 2]}), exchange({"n": {"$": "exchange-1/a/2"}}))),
    ("own-text", "invalid", cassette(exchange({"n": {"$": "text"}}, text="a"))),
    ("renewed", "invalid", cassette(exchange({"n": 1}, {"renewed": ["a"], "body": {"$": 1}}))),
    ("strings-of-a-text", "invalid", cassette(exchange({"n": {"$": "prompt.0-1"}}))),
    ("strings-behind", "invalid", cassette(exchange({"n": {"$": "prompt.1-3"}}, prompt=["a", "b"]))),
    ("without", "invalid", cassette(exchange({"a": 1}), exchange({"$like": "exchange-1", "$without": ["b"]}))),
    ("items-none", "invalid", cassette(exchange({"a": [1, 2]}), exchange({"$like": "exchange-1", "a": [{"$items": [1, 1]}]}))),
    ("items-behind", "invalid", cassette(exchange({"a": [1, 2]}), exchange({"$like": "exchange-1", "a": [{"$items": [1, 3]}]}))),
    ("join", "invalid", cassette(exchange({"a": {"b": 1}}), exchange({"n": {"$join": [{"$": "exchange-1/a"}]}}))),
    ("each-none", "invalid", cassette(exchange({"n": 1}, {"events": [{"a": {"$each": []}}]}))),
    ("each-text", "invalid", cassette(exchange({"n": 1}, {"events": [{"a": {"$each": "ab"}}]}))),
    ("each-shorter", "invalid", cassette(exchange({"n": 1}, {"events": [{"a": {"$each": [1, 2]}, "b": {"$each": [1]}}]}))),
    ("event-of-three", "invalid", cassette(exchange({"n": 1}, {"events": [["a", "b", "c"]]}))),
    ("event-of-a-number", "invalid", cassette(exchange({"n": 1}, {"events": [["a", 1]]}))),
]:
    case("refused-" + name, "a file that is refused: " + reason, file, unreadable=reason)

case("like-deep", "$items in a list in a list, whose place is counted after those before it",
    cassette(
        exchange({"$$like": 1, "messages": [{"n": 1}, {"parts": ["a", "b"]}, {"parts": ["c", "d"]}], "x/~y": "k"}),
        exchange({"$like": "exchange-1", "messages": [{"$items": [0, 2]}, {"parts": [{"$items": [1, 2]}, "e", {"$": "exchange-1/x~1~0y"}]}]}),
        exchange({"$like": "exchange-2", "$without": ["$like", "x/~y"], "messages": [{"$items": [0, 1], "$of": "exchange-1"}]}, {"body": {"$join": ["n", {"$": "/messages/0/n"}]}}),
    ),
    ask({"$like": 1, "messages": [{"n": 1}, {"parts": ["a", "b"]}, {"parts": ["d", "e", "k"]}], "x/~y": "k"}, gives(exchange="exchange-2")),
    ask({"messages": [{"n": 1}]}, gives('"n1"', exchange="exchange-3")), unused=["exchange-1"])
case("join-spelled", "a number in $join as it is spelled, halves of a character in two strings",
    cassette(exchange({"n": 1}, {"renewed": [1.50], "body": {"a": {"$join": [{"$": 0}, "-", "\ud83d", "\ude00"]}}})), ask({"n": 1}, gives('{"a":"1.5-\U0001f600"}')))
CASES["join-spelled"]["file"] = compact(CASES["join-spelled"].pop("cassette")).replace("[1.5]", "[1.50]").replace("\ud83d", "\\ud83d").replace("\ude00", "\\ude00")
CASES["join-spelled"]["requests"][0]["expect"]["body"] = '{"a":"1.50-\U0001f600"}'
case("events-more", "events with a layout, named ones with an end of line, types that are no texts, $each behind a name",
    cassette(exchange({"n": 1}, {"events": [{"type": "a", "b": [1, 2]}, {"type": 1}, {"t": {"type": "x"}}, ["c", {"d": {"$each": ["x", "y"]}}]], "named": True, "eol": "\r\n", "layout": {"spaced": True}})),
    ask({"n": 1}, stream('event: a\r\ndata: {"type": "a", "b": [1, 2]}\r\n\r\n', 'data: {"type": 1}\r\n\r\n', 'data: {"t": {"type": "x"}}\r\n\r\n',
        'event: c\r\ndata: {"d": "x"}\r\n\r\n', 'event: c\r\ndata: {"d": "y"}\r\n\r\n')))
for status in (400, 408, 409, 429, 500, 503, 599):
    had = {} if status == 599 else {"retry-after": "9"}
    now = {} if status == 400 else {**dict.fromkeys(had, "0"), "retry-after-ms": "1"}
    case(f"retry-{status}", "no test waits", cassette(exchange({"n": 1}, {"status": status, "headers": {**had, "x": "y"}, "body": {}})),
        ask({"n": 1}, gives("{}", status=status, headers={"x": "y", **had, **now})))

for name, sent, found in [
    ("integer", "9007199254740991", 9007199254740991), ("exact", "9007199254740992", 9007199254740992), ("lost", "9007199254740993", "\0number:9007199254740993"),
    ("twenty", "1e20", "\0number:1e20"), ("twenty-spelled", "100000000000000000000", 100000000000000000000), ("upper", "1E+22", "\0number:1e+22"),
    ("infinite", "-1E400", "\0number:-1e400"), ("zero", "-0.0", 0), ("fraction", "1.10", 1.1),
]:
    text = FORM({"n": found}) if name != "twenty-spelled" else digest('{"body":{"n":100000000000000000000},"endpoint":"openai","method":"POST","path":"/v1/chat/completions"}')
    case("number-" + name, "the canonical form of a number", compact(cassette(exchange({"n": "#"}))).replace('"#"', sent), ask('{"n":' + sent + "}", gives(hash=text)))
for name, sent, written_as in [("small", "0.000001", "0.000001"), ("smaller", "0.0000001", "1e-7"), ("smallest", "5E-324", "5e-324"), ("long", "0.1000000000000000055", "0.1"), ("large", "1e+21", "1e+21")]:
    case("number-" + name, "a number as ECMAScript writes it", compact(cassette(exchange({"n": "#"}))).replace('"#"', sent), ask('{"n":' + sent + "}",
        gives(hash=digest('{"body":{"n":' + written_as + '},"endpoint":"openai","method":"POST","path":"/v1/chat/completions"}'))))
case("calls-sorted", "numbers of ids go by sorted keys; ids of other types and places are data",
    cassette(exchange({"messages": [{"content": [{"type": "tool_use", "id": "b"}, {"type": "text", "id": "b"}], "tool_calls": [{"id": "a"}]}], "body": {"messages": [{"tool_call_id": "a"}, {"tool_call_id": 7}]}})),
    ask({"messages": [{"tool_calls": [{"id": "a"}], "content": [{"type": "tool_use", "id": "b"}, {"type": "text", "id": "b"}]}], "body": {"messages": [{"tool_call_id": "a"}, {"tool_call_id": 7}]}},
        gives(hash=FORM({"body": {"messages": [{"tool_call_id": "\0call:1"}, {"tool_call_id": 7}]}, "messages": [{"content": [{"id": "\0call:2", "type": "tool_use"}, {"id": "b", "type": "text"}], "tool_calls": [{"id": "\0call:1"}]}]}))))
case("properties-order", "the order of an object in ECMAScript",
    cassette(exchange({"parameter_definitions": {"b": 1, "4294967295": 2, "01": 3, "10": 4, "9": 5, "4294967294": 6}, "properties": ["b", "a"]})),
    ask({"parameter_definitions": {"b": 1, "4294967295": 2, "01": 3, "10": 4, "9": 5, "4294967294": 6}, "properties": ["b", "a"]},
        gives(hash=FORM({"parameter_definitions": [["9", 5], ["10", 4], ["4294967294", 6], ["b", 1], ["4294967295", 2], ["01", 3]], "properties": ["b", "a"]}))))
case("query", "parameters: decoded, sorted by name alone, without credentials",
    cassette(exchange({"n": 1}, url="https://api.x.test:8443/a%2Fb?c=2&b=%C3%A9+x&&a&c=1&keyword=4")),
    ask({"n": 1}, gives(hash=digest('{"body":{"n":1},"endpoint":"api.x.test","method":"POST","path":"/a%2Fb","query":["a=","b=é x","c=2","c=1","keyword=4"]}')),
        url="https://api.x.test/a%2Fb?keyword=4&b=%C3%A9%20x&a=&c=2&c=1&auth=5&apiKey=1&my_access_token=2&X-Goog-Signature=3"))
case("hosts", "endpoints by their patterns, loopback hosts", cassette(exchange({"n": 1}, url="https://bedrock-runtime.eu-west-1.amazonaws.com/model/x"), exchange({"n": 2}, url="http://localhost/x")),
    ask({"n": 1}, gives(hash=FORM({"n": 1}, "/model/x", "aws.bedrock")), url="https://bedrock-runtime.us-east-1.amazonaws.com/model/x"),
    ask({"n": 2}, gives(exchange="exchange-2", hash=FORM({"n": 2}, "/x", "localhost")), url="http://[::1]:1234/x"))
for name, host in [("127", "127.9.8.7:1"), ("0", "0.0.0.0"), ("any", "[::]:8")]:
    case("loopback-" + name, "a loopback host", cassette(exchange({"n": 2}, url="http://localhost/x")), ask({"n": 2}, gives(), url=f"http://{host}/x"))
case("media-types", "media types that count", cassette(exchange({"n": 1}, request={"headers": {"accept": "image/png, audio/wav", "content-type": "audio/mp3; rate=8"}})),
    ask({"n": 1}, gives(hash=digest('{"body":{"n":1},"endpoint":"openai","headers":["accept: audio/wav, image/png","content-type: audio/mp3;rate=8"],"method":"POST","path":"/v1/chat/completions"}')),
        headers={"Accept": ["image/PNG;q=0.1", "audio/wav , application/json;charset=utf-8"], "content-type": "audio/mp3; rate=8; charset=x", "anthropic-version": " ", "x-other": "1"}),
    ask({"n": 1}, refused("unmatched"), headers={"accept": "image/png"}))
case("methods", "the method counts", cassette(exchange({"n": 1}, method="PUT")), ask({"n": 1}, refused("unmatched")), ask({"n": 1}, gives(), method="PUT"))
case("no-body", "a request without a body, and one of an empty object", cassette(exchange(None), exchange({})), ask({}, gives(exchange="exchange-2")), ask(None, gives()))
case("exact-later", "ids that are equal go first among those that may answer", cassette(exchange(CALL("a")), exchange({"n": 1}), exchange(CALL("b"), request={"after": "exchange-2"}), exchange(CALL("c"))),
    ask(CALL("b"), gives()), ask({"n": 1}, gives(exchange="exchange-2")), ask(CALL("c"), gives(exchange="exchange-4")), ask(CALL("c"), gives(exchange="exchange-3")))
case("by-hand-metadata", "parameters that metadata names, also one that the request lacks", cassette(
        {"prompt": {"text": "Hi", "metadata": {"seed": 1}}, "response": {"text": "a"}}, {"prompt": {"text": "Hi", "metadata": {"provider": "anthropic"}}, "response": {"text": "a"}},
        {"prompt": {"text": "Hi", "metadata": {"model": "m", "temperature": 1.0, "provider": "openai"}}, "response": {"text": "a"}}),
    ask({**BODY, "temperature": 2}, refused("unmatched")), ask('{"model":"m","messages":[{"role":"user","content":"Hi"}],"temperature":1}', written("exchange-3")), unused=["exchange-1", "exchange-2"])
asked = "Hi \t\n \nyou \n\n"
case("by-hand-question", "white space at ends; results of tools are no question; a hash, of the text as it was sent, goes before the text", cassette(
        {"prompt": {"text": "other", "hash": hashlib.sha256(asked.encode()).hexdigest()}, "response": {"text": "a"}}, {"prompt": {"text": "Hi", "hash": "0" * 64}, "response": {"text": "a"}}, {"prompt": {"text": "Hi\n\nyou\t"}, "response": {"text": "a"}}),
    *[ask({"model": "m", "system": "s", "messages": [USER(asked), {"role": "assistant", "content": "x"}, USER([{"type": "tool_result", "tool_use_id": "x"}])]}, written(id), url="https://api.anthropic.com/v1/messages") for id in ["exchange-1", "exchange-3"]],
    ask({"messages": [USER("Hi")]}, refused("unmatched")), ask({"messages": [USER("Hi\nyou")]}, refused("unmatched")), unused=["exchange-2"])
case("by-hand-instructions", "the last instructions, in both formats", cassette({"prompt": {"text": "now"}, "response": {"text": "a"}}, {"prompt": {"text": "Be"}, "response": {"error": "a"}}),
    ask({"messages": [{"role": "system", "content": "Be nice"}, {"role": "developer", "content": [{"type": "text", "text": "now"}]}]}, written()),
    ask({"model": "m", "system": [{"type": "text", "text": "Be"}], "messages": [USER([{"type": "tool_result", "tool_use_id": "x"}])]}, written("exchange-2"), url="https://api.anthropic.com/v1/messages"))
case("by-hand-no-messages", "a body that its format does not have", cassette(BY_HAND), ask({"n": 1}, refused("unsupported")), unused=["exchange-1"])
case("by-hand-last", "recorded exchanges go first, also those that wait", cassette(BY_HAND, exchange({"n": 1}), exchange(BODY, request={"after": "exchange-2"})),
    ask(BODY, refused("turn")), ask({"n": 1}, gives(exchange="exchange-2")), ask(BODY, gives(exchange="exchange-3")), ask(BODY, written()), ask(BODY, refused("played")))
case("as-sent", "a body that no layout spells", cassette(exchange({"n": 1}, request={"as_sent": '{ "n":1}'})), ask({"n": 1}, gives()))
raw = "POST api.openai.com/v1/x?b=%20&a=1\nanthropic-version: 1\n\n" + '{ "n":1}'
for name, text, found in [("right", raw, []), ("wrong", raw + " ", ["exchange-1"])]:
    item = exchange({"n": 1}, url="https://api.openai.com/v1/x?b=%20&api_key=q&a=1", request={"headers": {"anthropic-version": "1"}, "as_sent": '{ "n":1}'})
    case("raw-" + name, "raw hashes", cassette(item, rules=[1], hashes=["." + digest(text)[:22] + "." + digest(compact(item["response"]))[:22]]), unused=["exchange-1"], edited=found)
item = exchange({"n": 1}, request={"layout": {"spaced": True, "end": "\n"}})
case("raw-layout", "the raw hash of a body in a layout", cassette(item, rules=[1], hashes=["." + digest("POST api.openai.com/v1/chat/completions\n\n" + '{"n": 1}\n')[:22] + "."]), unused=["exchange-1"])
case("response-hash", "the response hash", cassette(item, rules=[2], hashes=[".." + "x" * 22]), unused=["exchange-1"], edited=["exchange-1"])
case("text-of-a-list", "texts are lists of strings", cassette(exchange({"a": {"$": "prompt"}}, {"text": ["a", "b"]}, prompt=["x", "y"], text=["t"])), ask({"a": "xy"}, gives("ab")))

# The other page

QUICK = lambda name, shows, file, *requests, **more: case(name, shows, file, *requests, level="values", **more)  # noqa: E731
BINARY = lambda data, expect, **more: ask(None, expect, base64=base64.b64encode(data).decode(), **more)  # noqa: E731
SIMPLE = lambda member, found: digest(compact(dict(sorted({"endpoint": "openai", member: found, "method": "POST", "path": CHAT}.items()))))  # noqa: E731
for name, data, member, found in [
    ("tree", b'["a"]', "body", ["a"]), ("twice", b'{"a":1,"a":2}', "text", '{"a":1,"a":2}'), ("one-line", b'{"a":1}\n', "body", {"a": 1}), ("lines", b'{"a":1}\r\n{"a":1.0}\n', "lines", [{"a": 1}, {"a": 1}]),
    ("gap", b'{"a":1}\n\n{"a":1}', "text", '{"a":1}\n\n{"a":1}'), ("list-line", b'{"a":1}\n[]', "text", '{"a":1}\n[]'), ("space-first", b' {"a":1}\n{"a":1}', "text", ' {"a":1}\n{"a":1}'),
    ("scalar", b"1", "text", "1"), ("null", b"null", "text", "null"), ("nul-text", b"\0a", "text", "\0\0a"), ("no-utf8", b"\xff\xfe", "bytes", base64.urlsafe_b64encode(hashlib.sha256(b"\xff\xfe").digest()).decode().rstrip("=")),
]:
    stored = {"base64": base64.b64encode(data).decode()} if member == "bytes" else {"text": data.decode()} if member in ("text",) else {member: found}
    QUICK("body-" + name, "what a body is", cassette(exchange(None, request=stored)), BINARY(data, gives(hash=SIMPLE(member, found))))
QUICK("encodings", "two encodings, the last one first; a body that is not encoded at all", cassette(exchange({"n": 1}), exchange(None, request={"text": "no gzip"})),
    BINARY(__import__("gzip").compress(__import__("zlib").compress(b'{"n":1}'), mtime=0), gives(), headers={"Content-Encoding": "deflate, GZIP"}), BINARY(b"no gzip", gives(exchange="exchange-2"), headers={"content-encoding": "gzip"}))
bad = made[0][:-1] + bytes([made[0][-1] ^ 1])
QUICK("frames-broken", "a checksum that is wrong: no frames", cassette(exchange(None, request={"base64": base64.b64encode(bad).decode()})), BINARY(bad, gives()))
QUICK("frames-canonical", "frames in the canonical form, and a chunk that is a text", cassette(exchange(None, {"frames": [{"event": "c", "chunk": "t", "data": {}}, {"event": "e", "data": ""}]},
        request={"frames": [{"event": "a", "data": {"x": "1"}}, {"headers": {"k": "v"}, "data": "text"}]})),
    BINARY(made[0] + made[2], {"exchange": "exchange-1", "status": 200, "headers": JSON_TYPE, "hash": SIMPLE("frames", [
        {"data": {"x": "1"}, "headers": {":content-type": "application/json", ":event-type": "a", ":message-type": "event"}}, {"data": "text", "headers": {"k": "v"}}]),
        "base64": base64.b64encode(frame_of(THREE("c"), '{"bytes":"dA=="}') + frame_of(THREE("e"), "")).decode(), "pieces": [len(frame_of(THREE("c"), '{"bytes":"dA=="}')), len(frame_of(THREE("e"), ""))]}))
form = "--a b\r\nContent-Disposition: form-data; name=\"j\"\r\nContent-Transfer-Encoding: BINARY\r\nX-Other: 1\r\nContent-Description: d\r\n\r\n{ \"b\": 1.0 }\r\n--a b--\r\n"
QUICK("forms-json", "JSON in a part is a text; headers of it, a boundary in quotes", cassette(exchange(None, request={"form": [{"name": "j", "headers": {"content-description": "d"}, "text": "{ \"b\": 1.0 }"}]})),
    BINARY(form.encode(), gives(hash=SIMPLE("form", [{"headers": {"content-description": "d"}, "name": "j", "text": "{ \"b\": 1.0 }"}])), headers={"content-type": 'multipart/form-data; boundary="a b"'}),
    BINARY(form.encode()[:-4], refused("unmatched"), headers={"content-type": 'multipart/form-data; boundary="a b"'}))
for name, file in [("name", "x.png"), ("content", "0" * 64 + ".png")]:
    QUICK("file-" + name, "a file with another " + name, cassette(exchange(BODY, {"file": file})), blobs={file: base64.b64encode(PNG).decode()}, unreadable="file")
for name, url, kept in [("short", "https://a.b/x?code=1234567890123456789", ["code=1234567890123456789"]), ("long", "https://a.b/x?code=12345678901234567890", []), ("white", "https://a.b/x?code=12345678901234567890+1", ["code=12345678901234567890 1"]),
        ("names", "https://a.b/x?a%3Db%25=1", ["a%3Db%25=1"])]:
    QUICK("query-" + name, "parameters named code, and odd names", cassette(exchange({"n": 1}, url=url if kept else "https://a.b/x")), ask({"n": 1}, gives(hash=digest(compact({"body": {"n": 1}, "endpoint": "a.b", "method": "POST", "path": "/x", **({"query": kept} if kept else {})}))), url=url))
QUICK("readings", "host, address, set and digest", cassette(exchange({"n": 1}, request={"headers": {"anthropic-beta": "a, b", "x-backend": "digest " + hashlib.sha256(b"openai").hexdigest()[:12], "x-target-url": "api.x.test/v1", "helicone-thing": "digest " + hashlib.sha256(b"v").hexdigest()[:12], "host": "groq"}})),
    ask({"n": 1}, gives(), headers={"anthropic-beta": "b, a,, b", "x-backend": "openai", "X-Target-Url": "https://u@api.x.test:8/v1?q=1", "helicone-thing": "v", "host": "api.groq.com:443"}),
    ask({"n": 1}, refused("unmatched"), headers={"host": "api.openai.com"}))
QUICK("protocols", "subprotocols, in their order, without credentials", cassette(exchange(None, {"headers": {}, "lines": ["a\n"]}, url=SOCKET, method="GET", request={"headers": {"sec-websocket-protocol": "realtime, beta"}})),
    ask(None, gives("a\n", headers={}), url=SOCKET, method="GET", headers={"sec-websocket-protocol": "realtime, sk-abcdefgh12345678, beta"}), options={"env": {"OPENAI_API_KEY": KEY}})
QUICK("polls-only", "a GET with a body, and a socket, are no polls", cassette(exchange({"n": 1}, method="GET"), exchange(None, {"headers": {}, "text": "a"}, url=SOCKET, method="GET")),
    ask({"n": 1}, gives(), method="GET"), ask({"n": 1}, refused("played"), method="GET"), GET(SOCKET, gives("a", exchange="exchange-2", headers={})), GET(SOCKET, refused("played")))
QUICK("socket-after", "the hash of a message has that of the one before it", cassette(exchange(None, {"headers": {}, "text": "a"}, url=SOCKET, method="GET"),
        exchange({"n": 1}, {"headers": {}, "lines": [{"a": 1}]}, url=SOCKET, method="SEND", request={"after": "exchange-1"})),
    GET(SOCKET, gives("a", headers={})),
    SEND({"n": 1}, gives('{"a":1}\n', exchange="exchange-2", headers={}, hash=digest(compact({"after": digest(compact({"endpoint": "openai", "method": "GET", "path": "/v1/realtime"}))[:22],
        "body": {"n": 1}, "endpoint": "openai", "method": "SEND", "path": "/v1/realtime"}))), 0))
QUICK("mcp-meta", "what of _meta counts", cassette(exchange({"method": "x", "params": {"_meta": {"a": 1}, "b": 2}}, url="mcp://s")),
    ask({"id": 1, "method": "x", "params": {"_meta": {"a": 1, "traceparent": "t", "io.modelcontextprotocol/x": 1}, "b": 2}}, gives(), url="mcp://s"))
for name, value, is_one in [("seven", "abc4567", False), ("eight", "abc45678", True), ("letters", "abcdefghijklmno", False), ("sixteen", "abcdefghijklmnop", True), ("number", "12345678901234567", False), ("path", "/home/abc45678", False),
        ("url", "https://abc45678", False), ("true", "true", False), ("upper", "HTTPS://abc45678", False), ("lines", "/home/a\nbc45678", False)]:
    expect = gives(exchange="exchange-2" if is_one else "exchange-1")
    QUICK("credential-" + name, "values that are credentials", cassette(exchange({"a": f"is {value}"}), exchange({"a": "is <REDACTED:x-api-key>"})), ask({"a": f"is {value}"}, expect, headers={"X-Api-Key": value}),
        unused=["exchange-1" if is_one else "exchange-2"])
QUICK("credential-names", "names that are none, parameters, and the longest first", cassette(exchange({"a": "abcd1234efgh", "b": "<REDACTED:MY_TOKEN>", "c": "<REDACTED:api_key>", "d": "<REDACTED:==X>"})),
    ask({"a": "abcd1234efgh", "b": KEY + "xyz", "c": "abcd12345", "d": "<REDACTED:=X>"}, gives(), url=OPENAI + "?api_key=abcd12345", headers={"x-token-count": "abcd1234efgh", "x-key": KEY}), options={"env": {"MY_TOKEN": KEY + "xyz"}})
QUICK("params-numbers", "numbers and words", cassette(exchange({"a": "5x x5 é5 {{n}}. {{n}}", "n": 50, "m": "{{n:number}}", "k": {"{{n}}": 1}}, {"body": {"t": "{{n:number}}", "u": "{{n}} {{other}}"}}), params={"n": "7"}),
    ask('{"a":"5x x5 é5 5. 5","n":50,"m":5,"k":{"5":1}}', gives('{"t":5,"u":"5 {{other}}"}')), options={"params": {"n": "5"}})
QUICK("params-address", "no parameter in the address, one in a text", cassette(exchange({"n": 1}, {"text": "is {{n}}"}, url="https://a.b/ab/x"), params={"n": "7"}),
    ask({"n": 1}, gives("is ab"), url="https://a.b/ab/x"), options={"params": {"n": "ab"}})
QUICK("params-pieces", "in pieces of JSON with escapes, a number as a whole, indexes apart", cassette(exchange(BODY, {"events": [
        {"choices": [{"index": 0, "delta": {"content": "{\"a\":\"\\u00e9{"}}, {"index": 1, "delta": {"content": "{"}}]}, {"choices": [{"index": 0, "delta": {"content": "{n}}\"}"}}, {"index": 1, "delta": {"content": "{n}}"}}]},
        {"type": "b", "text": "{{n:number}}"}, {"type": "c", "x": {"text": "{{"}}, {"type": "c", "text": "n}}"}, {"type": "d", "text": "{\"a\":\"{{n:number}}\"}"}]}), params={"n": "7"}),
    ask(BODY, stream('data: {"choices":[{"index":0,"delta":{"content":"{\\"a\\":\\"\\\\u00e95"}},{"index":1,"delta":{"content":"5"}}]}\n\n',
        'data: {"choices":[{"index":0,"delta":{"content":"\\"}"}},{"index":1,"delta":{"content":""}}]}\n\n',
        'data: {"type":"b","text":5}\n\n', 'data: {"type":"c","x":{"text":"{{"}}\n\n', 'data: {"type":"c","text":"n}}"}\n\n', 'data: {"type":"d","text":"{\\"a\\":5}"}\n\n')), options={"params": {"n": "5"}})
QUICK("pieces-names", "events of several names are several strings", cassette(exchange(BODY, {"events": [["a", {"text": "{{"}], ["b", {"text": "n}}"}]]}), params={"n": "7"}),
    ask(BODY, stream('event: a\ndata: {"text":"{{"}\n\n', 'event: b\ndata: {"text":"n}}"}\n\n')), options={"params": {"n": "5"}})
both = [frame_of(THREE("a"), '{"text":"5"}'), frame_of(THREE("a"), '{"text":"!"}')]
QUICK("pieces-frames", "frames, too", cassette(exchange(BODY, {"frames": [{"event": "a", "data": {"text": "{{"}}, {"event": "a", "data": {"text": "n}}!"}}]}), params={"n": "7"}),
    ask(BODY, {"exchange": "exchange-1", "status": 200, "headers": JSON_TYPE, "base64": base64.b64encode(b"".join(both)).decode(), "pieces": [len(one) for one in both]}), options={"params": {"n": "5"}})
QUICK("volatile-order", "overlapping finds: the first, then the longest, then the first rule", cassette(exchange({"a": "take abcd or x of those words"})),
    ask({"a": "take abcd or x of those words"}, gives(hash=FORM({"a": "take \0volatile:/abc/:1\0d or \0volatile:/x|bcd/:2\0 of those words"}))), options={"volatile": ["/ab/", "/x|bcd/", "/abc/", "/a[b]c/"]})
TYPED = {"a": 1, "b": True, "c": None, "d": [1], "e": {"f": 1}, "g": "1"}
QUICK("volatile-types", "values at paths that are no texts", cassette(exchange({"metadata": TYPED}), exchange({"messages": [{"id": "x"}, {"id": "y"}]})),
    ask({"metadata": TYPED}, gives(hash=FORM({"metadata": {"a": "\0volatile:$.metadata.a:number:1", "b": "\0volatile:$.metadata.b:boolean:2", "c": "\0volatile:$.metadata.c:null:3", "d": "\0volatile:$.metadata.d:array:4", "e": "\0volatile:$.metadata.e:object:5", "g": "\0volatile:$.metadata.g:1"}}))),
    ask({"messages": [{"id": "p"}, {"id": "q"}]}, gives(exchange="exchange-2", hash=FORM({"messages": [{"id": "\0volatile:$.messages[*].id:1"}, {"id": "\0volatile:$.messages[*].id:2"}]}))), options={"volatile": [*[f"$.metadata.{key}" for key in TYPED], "$.messages[*].id"]})
QUICK("volatile-words", "in responses, short values stay, and parts of words; at a path, those without a digit", cassette(exchange({"a": "see i1, 12 and id-22 of 1234 in this list", "metadata": {"w": "word", "d": "d4", "o": {"a": 1234}}}, {"body": "i1 12 id-22 1234 xid-22 id-22. id-22.5 word d4"})),
    ask({"a": "see i3, 34 and id-44 of 5678 in this list", "metadata": {"w": "lord", "d": "d5", "o": {"a": 4321}}}, gives('"i3 12 id-44 5678 xid-22 id-44. id-44.5 word d4"')), options={"volatile": ["/\\bid-\\d+|\\bi\\d|\\b\\d+/", "$.metadata.w", "$.metadata.d", "$.metadata.o"]})
QUICK("volatile-both-ways", "two recorded values are not one", cassette(exchange({"a": "id-1"}), exchange({"b": "id-2"})), ask({"a": "id-7"}, gives()), ask({"b": "id-7"}, refused("volatile")), ask({"b": "id-8"}, gives(exchange="exchange-2")), options={"volatile": ["/id-\\d/"]})
QUICK("volatile-address", "in paths and parameters; ids of calls are not searched", cassette(exchange(CALL("id-1"), url="https://a.b/id-5/x?q=id-6")), ask(CALL("id-2"), refused("unmatched"), url="https://a.b/id-7/x?q=id-7"), ask(CALL("id-2"), gives(), url="https://a.b/id-7/x?q=id-8"),
    options={"volatile": ["/id-\\d/"]})
QUICK("volatile-hash", "an expression in rules", cassette(exchange({"n": 1}), rules=[1, "re:" + hashlib.sha256(b"id-\\d/i").hexdigest()[:12], "$.x"], hashes=["x" * 22 + "." + "x" * 22 + "."]), unused=["exchange-1"], edited=["exchange-1"], options={"volatile": ["/id-\\d/i", "$.x"]})
for name, url, method, more in [("method", OPENAI, "PUT", {}), ("host", "https://x.y" + CHAT, "POST", {}), ("path", "https://api.openai.com/z?q=1", "POST", {}), ("headers", OPENAI, "POST", {"headers": {"anthropic-version": "1"}})]:
    for unknown, expect in [([name], gives()), (["method"] if name != "method" else ["host"], refused("unmatched"))]:
        QUICK(f"imported-{name}" + ("" if unknown == [name] else "-known"), "unknown parts", cassette(exchange({"n": 1}, request={"imported": IMPORTED(unknown=unknown)})), ask({"n": 1}, expect, url=url, method=method, **more),
            **({} if unknown == [name] else {"unused": ["exchange-1"]}))
QUICK("imported-texts", "texts that stand for any, within a string", cassette(exchange({"a": "k XXX", "b": "XXX"}, request={"imported": IMPORTED(redacted=["XXX"])})), ask({"a": "j s", "b": "c"}, refused("unmatched")),
    ask({"a": "k s", "b": "\"c"}, gives()))
QUICK("imported-order", "the order of properties counts without respelled", cassette(exchange({"properties": {"a": 1, "b": 2}}, request={"imported": IMPORTED()})), ask({"properties": {"b": 2, "a": 1}}, refused("unmatched")), unused=["exchange-1"])
QUICK("part", "a group of exchanges is as any", cassette(exchange({"n": 1}, part="judge")), ask({"n": 1}, gives()))
QUICK("reasons", "params before sample", cassette(exchange({"n": 1}), params={"a": "1"}), ask({"n": 1}, refused("params")), options={"sample": 2})
QUICK("turned-back", "only what a response had got is turned back", cassette(exchange({"a": "id-12"}, {"body": "no"}), exchange({"b": "id-34"}, {"body": "got id-34"}), exchange({"t": "see 34"})),
    ask({"a": "id-98"}, gives('"no"')), ask({"b": "id-76"}, gives('"got id-76"', exchange="exchange-2")), ask({"t": "see id-98"}, refused("unmatched")), options={"volatile": ["/id-\\d\\d/"]}, unused=["exchange-3"])
case("header-text-first", "the first reading that matches is taken", cassette(exchange({"n": 1}, request={"headers": {"x-ms-oai-image-generation-deployment": "d"}})),
    ask({"n": 1}, gives(hash=digest('{"body":{"n":1},"endpoint":"openai","headers":["x-ms-oai-image-generation-deployment: d"],"method":"POST","path":"/v1/chat/completions"}')), headers={"X-ms-oai-image-generation-deployment": "d"}))
case("query-words", "words of names have no space at the ends", cassette(exchange({"n": 1})), ask({"n": 1}, gives(), url=OPENAI + "?_key_=1&HTTPSecret=2&x-AUTH-key=3"), ask({"n": 1}, refused("unmatched"), url=OPENAI + "?_keys_=1"))
QUICK("volatile-several", "the pairs are those of the exchange that answers", cassette(exchange({"a": "id-11"}, {"body": "got id-11"}), exchange({"a": "id-22"}, {"body": "got id-22"})),
    ask({"a": "id-99"}, gives('"got id-99"')), ask({"a": "id-88"}, gives('"got id-88"', exchange="exchange-2")), options={"volatile": ["/id-\\d\\d/"]})
QUICK("header-url", "an address in a header that is read as a text", cassette(exchange({"n": 1}, request={"headers": {"helicone-target-url": "https://u@h.test:8/x?q=1"}})), ask({"n": 1}, refused("unmatched"), headers={"helicone-target-url": "https://h.test/x"}),
    ask({"n": 1}, gives(), headers={"helicone-target-url": "https://u@h.test:8/x?q=1"}))
case("each-object", "$each has any values", cassette(exchange({"n": 1}, {"events": [{"a": {"$each": [1, {"b": None}]}}]})), ask({"n": 1}, stream('data: {"a":1}\n\n', 'data: {"a":{"b":null}}\n\n')))
QUICK("body-none", "a text is not the absence of a body", cassette(exchange(None)), ask("hello", refused("unmatched")), unused=["exchange-1"])
QUICK("pieces-several", "what is found goes into the piece in which it begins", cassette(exchange(BODY, {"events": [{"text": {"$each": ["a ", "{{n}} b {{", "n}}", " c {{n}}"]}}]}), params={"n": "7"}),
    ask(BODY, stream('data: {"text":"a "}\n\n', 'data: {"text":"5 b 5"}\n\n', 'data: {"text":""}\n\n', 'data: {"text":" c 5"}\n\n')), options={"params": {"n": "5"}})
QUICK("params-digits", "beside a digit, a digit behind a point is of the same word", cassette(exchange({"a": "1.4a {{n}} 1. {{n}}.b"}), params={"n": "7"}), ask({"a": "1.4a 4a 1. 4a.b"}, gives()), options={"params": {"n": "4a"}})
QUICK("no-sample-2", "a run of sample 2 of a file that has none", cassette(exchange(BODY)), ask(BODY, refused("sample")), options={"sample": 2}, unused=[])
QUICK("volatile-number", "a number with a mark is a text; an id of a call is not searched", cassette(exchange({"n": 1700000000, "m": 5}), exchange(CALL("x"))),
    ask({"n": 1700000001, "m": 5}, gives(hash=FORM({"m": 5, "n": "\0volatile:epoch\0"}))),
    ask(CALL("y"), gives(exchange="exchange-2", hash=FORM({"messages": [{"role": "assistant", "tool_calls": [{"id": "\0call:1"}]}, {"role": "tool", "tool_call_id": "\0call:1"}]}))), options={"volatile": ["epoch", "/call:\\d/"]})
QUICK("turned-back-pairs", "what is turned back is a pair with the value of this run", cassette(exchange({"a": "read id-12 of the list"}, {"body": "got id-12"}), exchange({"b": "read id-12 of the list", "version": "id-12"})),
    ask({"a": "read id-98 of the list"}, gives('"got id-98"')), ask({"b": "read id-98 of the list", "version": "id-98"}, gives(exchange="exchange-2")), options={"volatile": ["/id-\\d\\d/"]})
