#!/usr/bin/env python3
"""mcp.py: a client of `msprof mcp`, written from the protocol's specification, and what it must hold.

Usage: mcp.py CASE MSPROF ROOT [ARGUMENT]...

Each line of the server is checked: one message of JSON-RPC 2.0, without control characters. Prints nothing where all holds.
"""

import json
import os
import random
import select
import socket
import subprocess
import sys
import threading
import time

KEY = "io.modelcontextprotocol/"
MODERN = {KEY + "protocolVersion": "2026-07-28", KEY + "clientCapabilities": {}}


class Server:
    def __init__(self, *words, **more):
        self.process = subprocess.Popen([MSPROF, "mcp", *words], **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **more})
        self.number = 0
        self.seen = []

    def send(self, message):
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self):
        """The next message, checked."""
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), line
        text = line[:-1].decode("utf-8")
        assert not any(ord(c) < 32 or 127 <= ord(c) < 160 or 0x202a <= ord(c) <= 0x202e or 0x2066 <= ord(c) <= 0x2069 for c in text), text
        message = json.loads(text)
        assert message["jsonrpc"] == "2.0" and len({"result", "error", "method"} & set(message)) == 1, message
        self.seen.append(message)
        return message

    def silent(self, seconds=0.2):
        return not select.select([self.process.stdout], [], [], seconds)[0]

    def ask(self, method, meta=MODERN, **params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": {**params, **({"_meta": meta} if meta else {})}})
        answer = self.receive()
        assert answer["id"] == self.number, answer
        return answer

    def call(self, tool, **arguments):
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        content = result["structuredContent"]
        assert result["content"] == [{"type": "text", "text": result["content"][0]["text"]}]
        assert json.loads(result["content"][0]["text"]) == content and result["resultType"] == "complete"
        assert result["isError"] == (content["status"] in (1, 2)), content
        assert set(content) - {"next"} == {"status", "messages", "document"} and all(type(m) is str for m in content["messages"])
        return content

    def end(self):
        self.process.stdin.close()
        assert self.process.stdout.read() == b""
        assert self.process.wait() == 0


TABLES = {"tables", "jobs", "overview", "groups"}  # lists of what has rows


def rows_of(item, found):
    """The rows of a document in order."""
    for key, value in item.items():
        if isinstance(value, dict):
            rows_of(value, found)
        elif key in TABLES and isinstance(value, list) and value and "parsed" not in value[0]:
            for table in value:
                before = len(found)
                rows_of(table, found)
                if len(found) == before:
                    found.append({k: v for k, v in table.items() if v != []})
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            found += [row for row in value if row.get("ph") != "M"]
    return found


def empties(item):
    """The keys of lists without elements."""
    below = item.values() if isinstance(item, dict) else item if isinstance(item, list) else []
    return {key for key, value in (item.items() if isinstance(item, dict) else ()) if value == []} | {key for value in below for key in empties(value)}


def documents(root):
    """All pages of a tool have together the rows of the command's document, each once and in order."""
    server = Server(".", cwd=root)
    jobs = [row["job"] for row in server.call("list")["document"]["jobs"]]
    job = jobs[0]
    for tool, command, more in (("show", "show", {}), ("check", "check", {"files": True}), ("advise", "advise", {}), ("models", "query", {}),
                                ("diff", "diff", {}), ("query", "query", {"sql": "SELECT rowid AS n, name, 0.10 AS x FROM sqlite_schema ORDER BY 1"})):
        sides = {"base": jobs[0], "new": jobs[1]} if tool == "diff" else {"job": job}
        words = [word for name, value in more.items() for word in ["--" + name] + ([value] if value is not True else [])]
        run = subprocess.run([MSPROF, command, "-q", *("./" + side for side in sides.values()), "--format", "json", *words],
                             cwd=root, capture_output=True, check=False)
        whole = json.loads(run.stdout)
        for limit in (7, 1000):
            pages, cursor = [], {}
            while True:
                server.send({"jsonrpc": "2.0", "id": "page", "method": "tools/call", "params": {
                    "name": tool, "arguments": {**sides, **more, **cursor, "limit": limit}, "_meta": MODERN}})
                result = server.receive()["result"]["structuredContent"]
                rows = rows_of(result["document"], [])
                assert result["status"] == run.returncode and len(rows) <= limit, (tool, result)
                assert empties(result["document"]) <= empties(whole), (tool, result)
                pages += rows
                if "next" not in result:
                    break
                assert len(rows) == limit, (tool, result)
                cursor = {"next": result["next"]}
            want = rows_of(whole, [])
            assert pages == want and len(want) > 0, (tool, limit, len(pages), len(want))
    # digits stay: 0.10 is no 0.1, and large numbers are exact
    server.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "query", "_meta": MODERN, "arguments": {
        "job": job, "sql": "SELECT 9007199254740993 AS big, 'x' || char(0, 27, 8238) || 'y' AS text"}}})
    row = server.receive()["result"]["structuredContent"]["document"]["tables"][0]["rows"][0]
    assert row["big"] == 9007199254740993 and row["text"] == "x\ufffd\x1b\u202ey", row
    # more_rows counts what is left out of a table
    shown = server.call("show", job=job, table="Op statistic", limit=1)
    whole = server.call("show", job=job, table="Op statistic", limit=1000)
    assert len(rows_of(shown["document"], [])) == 1 < len(rows_of(whole["document"], [])) and "next" in shown
    part = server.call("timeline", job=job, to="100us")["document"]["traceEvents"]
    assert any(e["ph"] == "X" for e in part) and all(e["ts"] <= 100 for e in part if e["ph"] == "X"), part
    server.end()


def protocol(root):
    server = Server(root)
    ask = server.ask
    code = lambda answer: answer["error"]["code"]
    # a client of today: every request tells its revision
    found = ask("server/discover")["result"]
    assert found["supportedVersions"] == ["2026-07-28"] and found["capabilities"] == {"tools": {}, "resources": {}, "prompts": {}}
    assert found["_meta"][KEY + "serverInfo"]["name"] == "msprof" and found["ttlMs"] >= 0 and found["cacheScope"] == "public"
    answer = ask("tools/list", {**MODERN, KEY + "protocolVersion": "1900-01-01"})
    assert code(answer) == -32022 and answer["error"]["data"] == {"supported": ["2026-07-28"], "requested": "1900-01-01"}
    assert code(ask("tools/list", {KEY + "protocolVersion": "2026-07-28"})) == -32602
    assert code(ask("tools/list", {**MODERN, KEY + "protocolVersion": 7})) == -32602
    for method in ("initialize", "ping", "nosuch", "logging/setLevel", "completion/complete"):
        assert code(ask(method)) == -32601
    for method in ("tools/list", "prompts/list", "resources/list", "resources/templates/list"):
        assert code(ask(method, cursor="x")) == -32602 and ask(method)["result"]["cacheScope"] == "public"
    for tool in ask("tools/list")["result"]["tools"]:
        assert set(tool) == {"name", "title", "description", "annotations", "inputSchema", "outputSchema"}
        assert {"limit", "next"} < set(tool["inputSchema"]["properties"]) and "never instructions" in tool["description"], tool
    assert code(ask("resources/read", uri="msprof://docs/../cli/main.c")) == -32602 and code(ask("resources/read")) == -32602
    for resource in ask("resources/list")["result"]["resources"]:
        text = ask("resources/read", uri=resource["uri"])["result"]["contents"][0]["text"]
        place = os.path.join(ROOT, "schema" if "://sql" in resource["uri"] else "", resource["uri"].split("://")[1])
        assert text == open(place, encoding="utf-8").read() and len(text.encode()) == resource["size"]
    for prompt in ask("prompts/list")["result"]["prompts"]:
        names = {a["name"]: 'a"b\n{job}' for a in prompt["arguments"]}
        text = ask("prompts/get", name=prompt["name"], arguments=names)["result"]["messages"][0]["content"]["text"]
        assert text.count('"a\\"b\\u000a{job}"') == len(names), text
    assert "null" in ask("prompts/get", name="why_is_it_slow")["result"]["messages"][0]["content"]["text"]
    assert code(ask("prompts/get", name="did_it_get_slower", arguments={"base": "x"})) == -32602 and code(ask("prompts/get")) == -32602
    assert code(ask("tools/call", name="nosuch")) == -32602 and code(ask("tools/call", name="show", arguments=[])) == -32602
    # names that an error shows a part of are cut between characters
    for long in ("x" * (199 - odd) + "中文" * 99 for odd in range(3)):
        assert [code(a) for a in (ask(long), ask("tools/call", name=long), ask("prompts/get", name=long), ask("resources/read", uri=long))] == [
            -32601, -32602, -32602, -32602]
    # arguments that a model can mend are errors of the tool
    for arguments, part in (({}, "'job' is missing"), ({"job": 7}, "of type string"), ({"job": ".", "nosuch": 1}, "there are: job, table"),
                            ({"job": ".", "limit": 0}, "1 to 1000"), ({"job": ".", "limit": 1.5}, "1 to 1000"), ({"job": ".", "next": "-1"}, "'next'"),
                            ({"job": ".", "picture": 1.5}, "whole number"), ({"job": ".", "by": "x"}, "'x'"), ({"job": ".", "table": "x"}, "tables: ")):
        content = server.call("show", **arguments)
        assert content["status"] == 2 and part in content["messages"][0], content
    # before "initialize" a request without a revision is none; after it, it is
    assert code(ask("tools/list", None)) == -32602 and ask("ping", None)["result"] == {}
    for asked, given in (("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("2025-03-26", "2024-11-05"),
                         ("2030-01-01", "2025-11-25"), ("x", "2025-11-25"), ("1999-01-01", "2024-11-05")):
        result = ask("initialize", None, protocolVersion=asked, capabilities={}, clientInfo={"name": "x", "version": "1"})["result"]
        assert result["protocolVersion"] == given and result["serverInfo"]["name"] == "msprof" and result["instructions"], (asked, result)
    server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert ask("tools/list", None)["result"]["tools"] and code(ask("server/discover", None)) == -32602
    assert code(ask("resources/read", None, uri="msprof://x")) == -32002
    # ids of all kinds
    for number in ("0", "-7", "9223372036854775807", '""', '"\\u00e9\\n"', '"' + "i" * 70000 + '"'):
        server.send(b'{"jsonrpc":"2.0","id":%s,"method":"ping"}' % number.encode())
        assert server.receive()["id"] == json.loads(number)
    for number in ("null", "1.5", "1e3", "99999999999999999999", "true", "[1]", "{}"):
        server.send(b'{"jsonrpc":"2.0","id":%s,"method":"ping"}' % number.encode())
        answer = server.receive()
        assert code(answer) == -32600 and "id" not in answer
    # what is no message, and what wants no answer
    deep = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * 99 + b"]" * 99 + b"}"
    for line, want in ((b"{", -32700), (b"nosuch", -32700), (b'{"a":"\xff"}', -32700), (b'{"a":"\\u0000"}', -32700), (b'{"a":"\\ud800"}', -32700),
                       (b"\0", -32700), (b"[" * 200 + b"]" * 200, -32700), (deep, -32602),
                       (b"x" * 3000000, -32700), (b'"' + b"x" * 2000000 + b'"', -32700), (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
                       (b"[]", -32600), (b"7", -32600), (b"null", -32600), (b"{}", -32600), (b'{"id":1,"method":"ping"}', -32600),
                       (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
                       (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":7}', -32602)):
        server.send(line)
        assert code(server.receive()) == want, line[:80]
    for line in (b"", b"  \r", b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"list"}}', b'{"jsonrpc":"2.0","method":"notifications/nosuch"}',
                 b'{"jsonrpc":"2.0","id":1,"result":{}}', b'{"jsonrpc":"2.0","id":1,"error":{}}', b'{"jsonrpc":"2.0","method":"notifications/cancelled"}',
                 b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nosuch"}}'):
        server.send(line)
    assert ask("ping", None)["result"] == {}
    # a subscription is empty, stays open, and ends when it is cancelled
    server.send({"jsonrpc": "2.0", "id": "s", "method": "subscriptions/listen", "params": {"_meta": MODERN, "notifications": {"toolsListChanged": True}}})
    assert server.receive() == {"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
                                "params": {"_meta": {KEY + "subscriptionId": "s"}, "notifications": {}}}
    server.send({"jsonrpc": "2.0", "id": "s", "method": "ping"})
    assert code(server.receive()) == -32600
    server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "s"}})
    server.send({"jsonrpc": "2.0", "id": "s", "method": "ping"})
    assert server.receive()["result"] == {}
    server.end()
    # the last line needs no end, and what was asked is answered when the input has ended
    done = subprocess.run([MSPROF, "mcp", root], input=json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "_meta": MODERN, "name": "list"}}).encode(), capture_output=True, check=True)
    assert json.loads(done.stdout)["result"]["structuredContent"]["document"]["jobs"] and done.stderr == b""


def places(root, *names):
    """What is not below the root, or behind a link, is refused; so without a sandbox, and where terminals have other characters."""
    for environment in ({}, {"MSPROF_SANDBOX": "off", "LC_ALL": "zh_CN.GBK"}):
        server = Server(root, env={**os.environ, **environment})
        for name in names:
            for tool, arguments in (("show", {"job": name}), ("check", {"job": name}), ("list", {"directory": name}),
                                    ("timeline", {"job": name}), ("query", {"job": name, "sql": "SELECT 1"}),
                                    ("diff", {"base": name, "new": "JOBA"}), ("diff", {"base": "JOBA", "new": name})):
                content = server.call(tool, **arguments)
                assert content["status"] == 2 and content["document"] is None and len(content["messages"]) == 1, (tool, name, content)
        assert not [row for row in server.call("list")["document"]["jobs"] if "secret" in row["job"]]
        server.end()


SLOW = "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT count(*) FROM a"


def children(pid):
    return open(f"/proc/{pid}/task/{pid}/children", encoding="ascii").read().split()


def until(what):
    for _ in range(3000):
        if what():
            return
        time.sleep(0.02)
    raise AssertionError(what)


def limits(root):
    """Calls that take too long, that are cancelled, that are too many, too large, or ended by others."""
    server = Server(root, "--timeout", "1")
    content = server.call("query", job="JOBA", sql=SLOW)
    assert content["status"] == 1 and "stopped after 1 s" in content["messages"][0], content
    server.end()
    server = Server(root, "--timeout", "3600")
    begin = lambda number, sql=SLOW: server.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {
        "_meta": MODERN, "name": "query", "arguments": {"job": "JOBA", "sql": sql}}})
    begin("a")
    until(lambda: children(server.process.pid))
    server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a"}})
    until(lambda: not children(server.process.pid))
    assert server.silent() and server.ask("ping", None)["result"] == {}
    begin("b")
    until(lambda: children(server.process.pid))
    os.kill(int(children(server.process.pid)[0]), 9)
    answer = server.receive()
    assert answer["id"] == "b" and "without a result" in answer["result"]["structuredContent"]["messages"][0], answer
    # the first ones run, others wait, one more is too many; each is answered once
    for number in range(65):
        begin(1000 + number, "SELECT 1 AS a")
    answers = [server.receive() for _ in range(65)]
    assert {a["id"] for a in answers} == set(range(1000, 1065)) and sum("error" in a for a in answers) <= 1
    # a document that is cut may end within an escape, at the one or the other place
    cut = "SELECT replace(hex(zeroblob(6000000)), '00', '\\') AS {} FROM (VALUES(1),(2),(3))"
    for sql, part in (("SELECT printf('%.*c', 9000000, 'x') AS a", "larger than a result"), (cut.format("a"), "32 MiB"), (cut.format("ab"), "32 MiB")):
        content = server.call("query", job="JOBA", sql=sql)
        assert content["status"] == 1 and part in content["messages"][0], content
    # one process is left for others: they run in the order of their requests
    for number in range(3):
        begin(number)
    for number in range(3, 9):
        begin(number, "SELECT 1 AS a")
    assert [server.receive()["id"] for _ in range(6)] == [3, 4, 5, 6, 7, 8]
    for number in range(3):
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
    until(lambda: not children(server.process.pid))
    # a client that dies takes the processes with it
    begin("c")
    until(lambda: children(server.process.pid))
    left = children(server.process.pid)
    server.process.kill()
    server.process.wait()
    until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in left))
    # so does one at the other end of a socket that closes it: the call would go on for an hour
    ours, theirs = socket.socketpair()
    server = Server(root, "--timeout", "3600", stdin=theirs, stdout=theirs)
    theirs.close()
    server.process.stdin = ours.makefile("wb")
    begin("d")
    until(lambda: children(server.process.pid))
    left = children(server.process.pid)
    server.process.stdin.close()
    ours.close()
    until(lambda: server.process.poll() is not None and not any(os.path.exists(f"/proc/{pid}") for pid in left))
    # what a query sorts lies in files, which have an end
    server = Server(root, "--timeout", "20", env={**os.environ, "MSPROF_MAX_OUTPUT": "1"})
    endless = "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT hex(randomblob(1000)) AS b FROM a ORDER BY b"
    content = server.call("query", job="JOBA", sql=endless)
    assert content["status"] == 1 and "set MSPROF_MAX_OUTPUT to more" in content["messages"][0], content
    server.end()


def messages(root):
    """What a command says on standard error, line by line, up to 16 KiB, and how many lines follow."""
    said = [line for line in subprocess.run([MSPROF, "show", "-q", "."], cwd=root, capture_output=True, check=False).stderr.decode().splitlines()
            if line.startswith("msprof: ")]
    fits = next(n for n in range(len(said), 0, -1) if sum(len(line.encode()) + 1 for line in said[:n]) <= 16384)
    server = Server(root)
    got = server.call("show", job=".")["messages"]
    assert 0 < fits < len(said), fits
    assert got == [line[len("msprof: "):] for line in said[:fits]] + [f"{len(said) - fits} more, beyond the first 16384 bytes of messages"], got[-2:]
    server.end()


def deaf(root):
    """A client that reads nothing: the server says so and ends with its calls; a signal ends it before."""
    def ask(server):
        for number in range(8):
            server.send({"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"_meta": MODERN, "uri": "msprof://docs/SCHEMA.md"}})
        return server.process

    server = Server(root, "--timeout", "1", stderr=subprocess.PIPE)
    server.send({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": {
        "_meta": MODERN, "name": "query", "arguments": {"job": "JOBA", "sql": SLOW}}})
    until(lambda: children(server.process.pid))
    left = children(server.process.pid)
    process = ask(server)
    process.stdin.close()
    assert process.wait() == 1 and b"the client has read nothing for 1 s" in process.stderr.read()
    until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in left))
    process = ask(Server(root, "--timeout", "3600"))
    until(lambda: select.select([process.stdout], [], [], 0)[0])
    process.terminate()
    assert process.wait() == -15


def fuzz(root, seed, count):
    """Lines drawn from messages by a seed: each is answered by valid messages, and the server lives."""
    random.seed(int(seed))
    server = Server(root)
    reader = threading.Thread(target=lambda: [server.receive() for _ in iter(server.process.stdout.peek, b"")])
    reader.start()
    valid = [{"jsonrpc": "2.0", "id": 1, "method": method, "params": params} for method, params in (
        ("initialize", {"protocolVersion": "2025-06-18"}), ("ping", {}), ("tools/list", {"_meta": MODERN}), ("prompts/get", {
            "_meta": MODERN, "name": "did_it_get_slower", "arguments": {"base": "a", "new": "b"}}),
        ("resources/read", {"_meta": MODERN, "uri": "msprof://docs/x"}), ("subscriptions/listen", {"_meta": MODERN}),
        ("notifications/cancelled", {"requestId": 1}), ("tools/call", {
            "_meta": MODERN, "name": "show", "arguments": {"job": "../x", "limit": 3}}))]
    words = [None, True, -1, 1e300, "", "..", "\U0001f600", [], {}, [[]], {"a": {}}, "x" * 999]
    for number in range(int(count)):
        message = json.loads(json.dumps(random.choice(valid)))
        message["id"] = number
        for _ in range(random.randrange(3)):
            place = message
            while isinstance(place, dict) and place and random.random() < 0.7:
                key = random.choice(list(place))
                if not isinstance(place[key], dict) or random.random() < 0.3:
                    place[key] = json.loads(json.dumps(random.choice(words)))
                    break
                place = place[key]
        line = bytearray(json.dumps(message, ensure_ascii=random.random() < 0.5).encode())
        for _ in range(random.choice((0, 0, 1, 3))):
            line[random.randrange(len(line))] = random.randrange(256)
        server.send(bytes(line))
    server.send({"jsonrpc": "2.0", "id": "last", "method": "ping"})
    server.process.stdin.close()
    reader.join()
    assert server.process.wait() == 0 and {"last"} < {str(message.get("id")) for message in server.seen}


def names(root, job, *texts):
    """Texts of a job are values of JSON, whatever they say: in no message, and no key."""
    def strings(item):
        values = item.values() if isinstance(item, dict) else item if isinstance(item, list) else []
        return [item] if isinstance(item, str) else [text for value in values for text in strings(value)]
    server = Server(root)
    found = []
    for tool in ("show", "advise", "check", "timeline", "models"):
        content = server.call(tool, job=job, limit=1000)
        assert content["document"] and content["status"] in (0, 3), content
        assert not any(text in message for text in texts for message in content["messages"]), content
        found += strings(content["document"])
    assert all(any(text in string for string in found) for text in texts), texts
    server.end()


if __name__ == "__main__":
    MSPROF, ROOT = sys.argv[2], os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
    globals()[sys.argv[1]](*sys.argv[3:])
