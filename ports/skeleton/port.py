"""A port of phpwire: your codec of PHP's serialize() behind JSON Lines.

    phpwire check --port 'python3 port.py'
"""
import base64
import json
import sys


class Unable(Exception):
    """What the codec does not claim: the case is skipped, with the reason."""


def decode(payload):
    """Replace this: bytes to a tagged value. What is wrong raises ValueError."""
    if payload == b"N;":
        return {"t": "null"}
    if payload in (b"b:0;", b"b:1;"):
        return {"t": "bool", "v": payload == b"b:1;"}
    raise Unable("not written yet")


def encode(value):
    """Replace this: a tagged value to bytes."""
    if value["t"] == "null":
        return b"N;"
    if value["t"] == "bool":
        return b"b:1;" if value["v"] else b"b:0;"
    raise Unable("not written yet")


def answer(q):
    if q["op"] == "hello":
        return {"name": "my-port", "version": "0", "language": "Python", "ops": ["decode", "encode", "reencode"]}
    if q["op"] == "decode":
        return {"value": decode(base64.b64decode(q["b64"]))}
    value = q["value"] if q["op"] == "encode" else decode(base64.b64decode(q["b64"]))
    return {"b64": base64.b64encode(encode(value)).decode()}


for line in sys.stdin:
    q = json.loads(line)
    try:
        a = {"ok": True, **answer(q)}
    except Unable as why:
        a = {"skip": str(why)}
    except ValueError as why:
        a = {"ok": False, "error": str(why)}
    print(json.dumps({"id": q["id"], **a}), flush=True)
