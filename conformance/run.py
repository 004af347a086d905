"""Runs cases with a player: `run(Player, level)`. README.md says what a case looks like."""

import base64
import sys
import traceback
from pathlib import Path
from ecmascript import parse, write
from reading import Refused

sys.setrecursionlimit(20_000)  # 1,000 levels of JSON


def run(player, level):
    """Prints what failed of the cases (files or folders) of the command line, and ends with 1."""
    paths = [Path(path) for path in sys.argv[1:]] or [Path(__file__).with_name("cases")]
    cases = [case for path in paths for case in (sorted(path.glob("*.json")) or [path])]
    count = {"passed": 0, "refused": 0, "failed": 0}
    for path in cases:
        case = parse(path.read_text("utf-8"))
        try:
            failures = failures_of(case, player, level)
        except Exception:
            failures = [traceback.format_exc()]
        is_refused = failures == ["unsupported"] and level == "core" != case["level"]
        count["refused" if is_refused else "failed" if failures else "passed"] += 1
        for failure in [] if is_refused else failures:
            print(f"{path.stem}: {failure}")
    print(", ".join(f"{number} {name}" for name, number in count.items() if number))
    sys.exit(count["failed"] > 0)


def failures_of(case, player, level):
    """What is not as the case expects; `unsupported` alone if that is all that is wrong."""
    text = case["file"] if "file" in case else write(case["cassette"])
    blobs = {name: base64.b64decode(data) for name, data in case.get("blobs", {}).items()}
    wanted, failures = case.get("unreadable"), []
    if level == "core" and case.get("options", {}).keys() - {"env"}:
        return ["unsupported"]
    try:
        played = player(text.encode("utf-8", "surrogatepass"), case.get("options", {}), blobs)
    except Refused as refused:
        if refused.args[0] == wanted:
            return []
        is_unknown = refused.args[0] == "unsupported"
        return ["unsupported"] if is_unknown else [f"expected {wanted}, got {refused.args[0]}"]
    if wanted:
        return [f"expected {wanted}, but the file was read"]
    for place, request in enumerate(case.get("requests", [])):
        expected, got = request["expect"], outcome(played, request)
        got = got if "hash" in expected else {key: got[key] for key in got if key != "hash"}
        expected, got = plain(expected), plain(got)
        if got != expected:
            is_unknown = got == {"refused": "unsupported"}
            failures += [f"request {place}:\n  expected {expected}\n  got      {got}"]
            return ["unsupported"] if is_unknown and len(failures) == 1 else failures
        if got == {"refused": "unsupported"}:
            break
    if played.unused() != case.get("unused", []):
        failures += [f"unused: expected {case.get('unused', [])}, got {played.unused()}"]
    if hasattr(played, "edited") and played.edited() != case.get("edited", []):
        failures += [f"edited: expected {case.get('edited', [])}, got {played.edited()}"]
    return failures


def outcome(played, request):
    """What came of a request, as an `expect` says it."""
    data = base64.b64decode(request.get("base64", "")) or request.get("body", "").encode()
    after = {"after": int(request["after"])} if "after" in request else {}
    url, headers = request["url"], request.get("headers", {})
    try:
        answer = played.ask(
            {"method": request["method"], "url": url, "headers": headers, **after}, data
        )
    except Refused as refused:
        return {"refused": refused.args[0]}
    if "written" in answer:
        return {key: answer[key] for key in ("exchange", "hash", "written")}
    chunks = answer.pop("chunks")
    chunks = [one if isinstance(one, bytes) else one.encode() for one in chunks]
    try:
        answer["body"] = b"".join(chunks).decode()
    except UnicodeDecodeError:
        answer["base64"] = base64.b64encode(b"".join(chunks)).decode()
    if len(chunks) > 1:
        answer["pieces"] = [len(chunk) for chunk in chunks]
    return answer


def plain(value):
    """With numbers as Python has them."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    return value if value is None or isinstance(value, (str, bool)) else int(value)
