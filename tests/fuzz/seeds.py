#!/usr/bin/env python3
"""Turn the packed corpus into raw seeds: seeds.py PACKED_DIR OUT_DIR (standard library only).

A seed is a zero byte, meta.json, and for each file of history/ a zero byte, its name, a line feed and its bytes.
"""
import base64
import glob
import json
import os
import sys

LARGEST = 20_000


def content(value):
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else base64.b64decode(value["base64"])


def main():
    packed, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    for part in sorted(glob.glob(os.path.join(packed, "*.jsonl"))):
        with open(part, encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                files = {path: content(value) for path, value in json.loads(line)["files"].items()}
                seed = b"\0" + files.get("meta.json", b"")
                for path, data in files.items():
                    folder, name = os.path.split(path)
                    if folder == "history" and b"\0" not in data:
                        seed += b"\0" + name.encode("utf-8", "surrogateescape") + b"\n" + data
                if len(seed) <= LARGEST:
                    with open(os.path.join(out, f"{os.path.basename(part)}-{number}"), "wb") as file:
                        file.write(seed)


if __name__ == "__main__":
    main()
