"""Writes the own test cases into this folder: python3 make.py. The expectations are by hand, from the text."""

import base64
import hashlib
import json
from pathlib import Path

FOLDER = Path(__file__).parent / "cases"
OPENAI = "https://api.openai.com/v1/chat/completions"
JSON_TYPE = {"content-type": "application/json"}
CASES = {}


def digest(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def exchange(body=None, sent=None, text="", url=OPENAI, method="POST", prompt="Hi", **more):
    """An exchange that was recorded."""
    request = {"method": method, "url": url, **more.pop("request", {})}
    if body is not None:
        request["body"] = body
    sent = {"status": 200, "headers": JSON_TYPE, **({"body": {"ok": True}} if sent is None else sent)}
    response = {"text": text, "sent": sent, **more.pop("response", {})}
    return {"prompt": {"text": prompt}, "request": request, "response": response, **more}


def cassette(*exchanges, **more):
    return {
        "version": "2.0",
        "conversation_id": "own",
        "exchanges": list(exchanges),
        "timestamp": "2026-11-26T16:26:47.000Z",
        **more,
    }


def ask(body=None, expect=None, url=OPENAI, method="POST", **more):
    request = {"method": method, "url": url, "headers": {"content-type": "application/json"}, **more}
    if body is not None:
        request["body"] = body if isinstance(body, str) else compact(body)
    return {**request, "expect": expect}


def gives(body='{"ok":true}', exchange="exchange-1", status=200, headers=JSON_TYPE, **more):
    return {"exchange": exchange, "status": status, "headers": headers, "body": body, **more}


def refused(reason):
    return {"refused": reason}


def written(exchange="exchange-1"):
    return {"exchange": exchange, "written": True}


def stream(*texts, **more):
    pieces = {"pieces": [len(text.encode()) for text in texts]} if len(texts) > 1 else {}
    return gives("".join(texts), **pieces, **more)


def case(name, shows, file, *requests, level="core", **more):
    """`file` is a cassette, or the text of one."""
    content = {"file": file} if isinstance(file, str) else {"cassette": file}
    CASES[name] = {"shows": shows, "level": level, **content, "requests": list(requests), **more}


def sealed(file, change=lambda text: text):
    """The text of a cassette with the hashes of its responses and a seal. `change` edits it afterwards."""
    hashes = [".." + digest(compact(item["response"]))[:22] for item in file["exchanges"]]
    text = compact({**file, "rules": [1], "hashes": hashes})[:-1] + ","
    text = text.replace('"timestamp"', '\n  "timestamp"')
    return change(text + f'"seal":"{digest(text)}"' + "\n}\n")


exec((Path(__file__).with_name("cases.py")).read_text("utf-8"))
for name, content in CASES.items():
    (FOLDER / f"{name}.json").write_text(json.dumps(content, indent=1, ensure_ascii=True) + "\n", "utf-8")
print(len(CASES), "cases")
