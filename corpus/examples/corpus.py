"""Runs the decoding cases of phpwire's corpus on a decoder.

    python3 corpus.py DATA_FOLDER

Replace decode() by your port's, which takes bytes and returns a value, or raises
ValueError. PROFILE is plugin, canonical or php: the behaviour that it claims.
"""
import base64
import json
import pathlib
import struct
import sys

PROFILE = "plugin"
SKIP = set()  # flags of cases that the port does not claim, like {"unsupported", "deep"}


def cases(folder):
    for file in sorted(pathlib.Path(folder).glob("*.json")):
        yield from json.loads(file.read_text(encoding="utf-8"))["cases"]


def value(tagged):
    """A tagged value as Python has it: arrays as lists of pairs, to keep order and keys."""
    kind = tagged["t"]
    if kind == "int":
        return int(tagged["v"])
    if kind == "float":
        return ("float", tagged["bits"])
    if kind == "string":
        return base64.b64decode(tagged["b64"])
    if kind == "list":
        return [(i, value(v)) for i, v in enumerate(tagged["v"])]
    if kind == "array":
        return [(int(k["int"]) if "int" in k else base64.b64decode(k["b64"]), value(v)) for k, v in tagged["v"]]
    return {"null": None, "bool": tagged.get("v")}.get(kind, tagged)


def check(case, decode):
    """Returns what is wrong, or None."""
    wanted = case["expect"].get(PROFILE, "may")
    try:
        got = decode(base64.b64decode(case["input"]["b64"]))
    except ValueError as why:
        return f"refused: {why}" if wanted == "must_accept" else None
    if wanted == "must_reject":
        return f"accepted as {got!r}"
    if wanted == "must_accept" and "value" in case and "handle" not in case.get("flags", []) and got != value(case["value"]):
        return f"read as {got!r}, not as {value(case['value'])!r}"
    return None


def run(folder, decode):
    ran = failed = 0
    for case in cases(folder):
        if case["op"] != "decode" or SKIP.intersection(case.get("flags", [])):
            continue
        ran += 1
        wrong = check(case, decode)
        if wrong:
            failed += 1
            print(f"FAIL {case['id']} (clause {case['clause']}): {case['input']['text'][:80]}: {wrong[:200]}")
    print(f"{ran} cases, {failed} failed")
    return failed == 0


def natural(digits):
    """The number, or one that is too large for anything: int() refuses very long texts."""
    digits = digits.lstrip(b"0") or b"0"
    return int(digits) if digits.isdigit() and len(digits) <= 20 else 2**70


def decode(payload):
    """An example: scalars only. Arrays are refused, so their cases fail."""
    tag, body = payload[:2], payload[2:]
    if payload == b"N;":
        return None
    if payload in (b"b:0;", b"b:1;"):
        return payload == b"b:1;"
    if tag == b"i:" and body[-1:] == b";":
        digits = body[1:-1] if body[:1] in (b"-", b"+") else body[:-1]
        number = natural(digits) * (-1 if body[:1] == b"-" else 1)
        if digits.isdigit() and -2**63 <= number < 2**63:
            return number
    if tag == b"s:" and body[-2:] == b'";':
        length, colon, rest = body.partition(b':"')
        if colon and length.isdigit() and natural(length) == len(rest) - 2:
            return rest[:-2]
    if tag == b"d:" and body[-1:] == b";" and set(body[:-1]) <= set(b"0123456789"):
        return ("float", struct.pack(">d", float(body[:-1])).hex())
    raise ValueError("not supported")


if __name__ == "__main__":
    sys.exit(0 if run(sys.argv[1], decode) else 1)
