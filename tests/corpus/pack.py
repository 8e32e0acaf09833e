#!/usr/bin/env python3
"""Pack corpus cases into JSON lines: pack.py CORPUS_DIR OUT_DIR (standard library only).

One file a part, one line a case: {"name", "files": {path: text or {"base64": ...}}, "dirs": [...], "expected": {...}}.
Of expected.json only the keys that the tests compare are kept. The part ground/authentic is left out.
"""
import base64
import json
import os
import sys

KEPT = ("head_id", "messages", "fallback_used", "error", "stub")


def pack(case, ground):
    files, session = {}, os.path.join(case, "session")
    for folder, _, names in sorted(os.walk(session)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, "rb") as f:
                data = f.read()
            try:
                files[os.path.relpath(path, session)] = data.decode("utf-8")
            except UnicodeDecodeError:
                files[os.path.relpath(path, session)] = {"base64": base64.b64encode(data).decode("ascii")}
    with open(os.path.join(case, "expected.json"), encoding="utf-8") as f:
        expected = json.load(f)
    if ground:
        expected = {key: expected.get(key) for key in KEPT}
    dirs = []
    if os.path.exists(os.path.join(case, "case.json")):
        with open(os.path.join(case, "case.json"), encoding="utf-8") as f:
            dirs = json.load(f).get("mkdirs", [])
    return {"name": os.path.basename(case), "files": files, "dirs": dirs, "expected": expected}


def line(case):
    text = json.dumps(case, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode("utf-8")
        return text
    except UnicodeEncodeError:  # a lone surrogate can only be written as an escape
        return json.dumps(case, separators=(",", ":"))


def main():
    corpus, out = sys.argv[1:]
    parts = ["ground/scenario", "ground/fuzz", "ground/corrupt", "ground-odd/scenario", "ground-odd/fuzz", "ground-odd/corrupt", "target"]
    lines = {}
    for part in parts:
        root = os.path.join(corpus, part)
        for name in sorted(os.listdir(root)):
            case = pack(os.path.join(root, name), part.startswith("ground"))
            lines.setdefault(part.split("/")[0], []).append(line(case))
    for part, cases in lines.items():
        with open(os.path.join(out, part + ".jsonl"), "w", encoding="utf-8") as f:
            f.write("\n".join(cases) + "\n")


if __name__ == "__main__":
    main()
