"""MCP servers in plain Python, which run in the sandbox, good ones and others."""

ANSWERS = r"""
import json, sys

def send(said):
    print(json.dumps(said), flush=True)

def tool(name, **properties):
    form = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": f"Does {name}.", "inputSchema": form}

TOOLS = [tool("add", a={"type": "integer"}, b={"type": "integer"})]
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

def text(said, **more):
    return {"content": [{"type": "text", "text": said}], **more}

def call(name, given):
    return text(str(given["a"] + given["b"]))

def listed(cursor):
    return {"tools": TOOLS}

def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "test", "version": "1"}}
    if method == "tools/list":
        return listed(params.get("cursor"))
    if method == "tools/call":
        return call(params["name"], params["arguments"])
    raise LookupError(method)

def serve():
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked:
            continue
        try:
            result = answer(asked["method"], asked.get("params") or {})
            send({"jsonrpc": "2.0", "id": asked["id"], "result": result})
        except LookupError as error:
            send({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": f"no {error}"}})
"""


def server(*changes):
    """A server as the content of a file."""
    return "\n".join([ANSWERS, *changes, "serve()"])
