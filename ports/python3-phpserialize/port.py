"""Debian's python3-phpserialize as a port: phpserialize.loads and dumps."""
import base64
import json
import struct
import sys

import phpserialize


class Unable(Exception):
    """What Python's values or the library's do not tell: the case is skipped."""


def tag(v):
    if v is None:
        return {"t": "null"}
    if isinstance(v, bool):
        return {"t": "bool", "v": v}
    if isinstance(v, int):
        return {"t": "int", "v": str(v)}
    if isinstance(v, float):
        return {"t": "float", "bits": struct.pack(">d", v).hex()}
    if isinstance(v, bytes):
        return {"t": "string", "b64": base64.b64encode(v).decode()}
    if isinstance(v, dict):
        return {"t": "array", "v": [[key(k), tag(e)] for k, e in v.items()]}
    return {"t": type(v).__name__}  # accepted, and no value of PHP: judged so


def key(k):
    if isinstance(k, bytes):
        return {"b64": base64.b64encode(k).decode()}
    if isinstance(k, int) and not isinstance(k, bool):
        return {"int": str(k)}
    return {type(k).__name__: str(k)}  # no key of PHP: judged so


def untag(t):
    kind = t["t"]
    if kind == "int":
        return int(t["v"])
    if kind == "float":
        return struct.unpack(">d", bytes.fromhex(t["bits"]))[0]
    if kind == "string":
        return base64.b64decode(t["b64"])
    if kind == "list":
        return [untag(e) for e in t["v"]]
    if kind == "array":
        return {int(k["int"]) if "int" in k else base64.b64decode(k["b64"]): untag(e) for k, e in t["v"]}
    if kind in ("null", "bool"):
        return t.get("v")
    raise Unable(f"Python has no values of the kind {kind}")


def answer(q):
    op = q["op"]
    if op == "hello":
        return {"name": "phpserialize", "version": phpserialize.__version__, "language": "Python", "ops": ["decode", "encode", "reencode"], "profile": "php"}
    if op == "encode":
        return {"b64": base64.b64encode(phpserialize.dumps(untag(q["value"]))).decode()}
    value = phpserialize.loads(base64.b64decode(q["b64"]))
    if op == "decode":
        return {"value": tag(value)}
    return {"b64": base64.b64encode(phpserialize.dumps(value)).decode()}


sys.setrecursionlimit(20000)
for line in sys.stdin:
    q = json.loads(line)
    try:
        a = {"ok": True, **answer(q)}
    except Unable as e:
        a = {"skip": str(e)}
    except Exception as e:  # whatever the library raises is its refusal
        a = {"ok": False, "error": f"{type(e).__name__}: {e}"}
    print(json.dumps({"id": q["id"], **a}), flush=True)
