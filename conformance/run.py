"""Runs the cases with a player, which is any command.

    python3 conformance/run.py python3 conformance/player.py
    python3 conformance/run.py --level core python3 conformance/core.py
    python3 conformance/run.py --cases 'turns,recorded-*' python3 conformance/core.py

README.md says what the command gets and prints. With --level, cases of higher levels may be refused by name.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

LEVELS = ["core", "bodies", "requests", "values", "written"]


def difference(case, got):
    """None if a player does what a case expects, `refused` if it refuses by name, or else what is wrong."""
    if "unreadable" in got or "unreadable" in case:
        is_same = got.get("unreadable") == case.get("unreadable")
        return None if is_same else "refused" if "unreadable" in got else "the file is read"
    for place, (request, outcome) in enumerate(zip(case["requests"], got["expect"])):
        if outcome.get("refused") == "unsupported":
            return "refused"
        expected = {key: value for key, value in request["expect"].items() if key != "hash" or key in outcome}
        found = {key: value for key, value in outcome.items() if key != "found"}
        if found != expected:
            return f"request {place + 1}\n  expected {json.dumps(expected)}\n  got      {json.dumps(found)}"
    if len(got["expect"]) != len(case["requests"]):
        return f"{len(got['expect'])} outcomes for {len(case['requests'])} requests"
    for key in ("unused", "edited"):
        if got.get(key, case.get(key, [])) != case.get(key, []):
            return f"{key}: {json.dumps(got[key])}"
    return None


def print_table(results):
    print(f"{'level':10}{'passed':>8}{'refused':>9}{'wrong':>7}")
    for level in LEVELS:
        found = [said for at, _, said in results if at == level]
        passed, refused = found.count(None), found.count("refused")
        print(f"{level:10}{passed:8}{refused:9}{len(found) - passed - refused:7}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--level", choices=LEVELS, default=LEVELS[-1], help="up to which all cases have to pass"
    )
    parser.add_argument("--cases", default="*", help="their names with commas between; * is any text")
    parser.add_argument("--folder", default=Path(__file__).with_name("cases"), type=Path)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    files = sorted(
        {file for name in options.cases.split(",") for file in options.folder.glob(name + ".json")}
    )
    cases = [json.loads(file.read_text("utf-8")) for file in files]
    told = (
        subprocess.run([*options.command, *map(str, files)], stdout=subprocess.PIPE, check=False)
        .stdout.decode()
        .splitlines()
    )
    results = []
    for case, file, line in zip(cases, files, [*told, *[None] * len(files)]):
        said = difference(case, json.loads(line)) if line else "the player did not come so far"
        results.append((case["level"], file.stem, said))
    print_table(results)
    own = LEVELS[: LEVELS.index(options.level) + 1]
    failed = [(name, said) for level, name, said in results if said and (said != "refused" or level in own)]
    for name, said in failed:
        print(f"{name}: {said}")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
