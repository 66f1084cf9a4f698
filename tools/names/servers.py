"""Ask a language server where a symbol is used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlparse

Json = Any
SETTINGS = {
    "python": {"pythonPath": sys.executable},
    "basedpyright": {"analysis": {"autoSearchPaths": True, "typeCheckingMode": "off"}},
}


class TextEdit(NamedTuple):
    """A text in the place of another; lines and columns begin at 0, as editors count them."""

    path: Path
    line: int
    column: int
    last_line: int
    last_column: int
    text: str


class LanguageServer:
    """A conversation with a language server over its standard streams."""

    def __init__(self, command: list[str], root: Path, language: str) -> None:
        self._language = language
        self._requests = 0
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, cwd=root, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
        )
        folder = {"uri": root.as_uri(), "name": root.name}
        capabilities = {
            "workspace": {"configuration": True, "workspaceEdit": {"documentChanges": True}},
            "textDocument": {"rename": {"prepareSupport": True}},
        }
        self.ask(
            "initialize",
            processId=os.getpid(),
            rootUri=root.as_uri(),
            workspaceFolders=[folder],
            capabilities=capabilities,
        )
        self._notify("initialized")

    def rename(self, path: Path, line: int, column: int, name: str) -> list[TextEdit]:
        """Return the edits that give the symbol at a place another name."""
        answer = self.ask(
            "textDocument/rename",
            textDocument={"uri": path.as_uri()},
            position={"line": line, "character": column},
            newName=name,
        )
        return list(_edits(answer or {}))

    def wait_for(self, words: str) -> None:
        """Read what the server says of itself until it says this."""
        while words not in str(self._hear().get("params")):
            pass

    def open(self, path: Path) -> None:
        """Let the server read a file as an editor has it."""
        document = {"languageId": self._language, "version": 1, "text": path.read_text("utf-8")}
        self._notify("textDocument/didOpen", textDocument={"uri": path.as_uri(), **document})

    def close_file(self, path: Path) -> None:
        """Tell the server that a file is no longer open."""
        self._notify("textDocument/didClose", textDocument={"uri": path.as_uri()})

    def close(self) -> None:
        """End the server."""
        self._process.kill()
        self._process.wait()

    def ask(self, method: str, **params: Json) -> Json:
        """Send a request and return its result."""
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": params})
        while True:
            message = self._hear()
            if "method" not in message and message.get("id") == self._requests:
                if "error" in message:
                    raise LookupError(message["error"]["message"])
                return message.get("result")

    def _notify(self, method: str, **params: Json) -> None:
        self._send({"method": method, "params": params})

    def _hear(self) -> Json:
        """Receive a message; what the server asks for is answered."""
        message = self._receive()
        if "method" in message and "id" in message:
            items = (message.get("params") or {}).get("items", ())
            settings = [SETTINGS.get(item.get("section"), {}) for item in items]
            self._send({"id": message["id"], "result": settings})
        return message

    def _send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def _receive(self) -> Json:
        stream = self._process.stdout
        assert stream
        length = 0
        while (line := stream.readline()) != b"\r\n":
            if not line:
                raise EOFError("the language server has ended")
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        return json.loads(stream.read(length))


def _edits(answer: Json) -> Iterator[TextEdit]:
    changes = list((answer.get("changes") or {}).items())
    for document in answer.get("documentChanges") or ():
        if "edits" in document:
            changes.append((document["textDocument"]["uri"], document["edits"]))
    for uri, edits in changes:
        path = Path(unquote(urlparse(uri).path))
        for edit in edits:
            start, end = edit["range"]["start"], edit["range"]["end"]
            place = (start["line"], start["character"], end["line"], end["character"])
            yield TextEdit(path, *place, edit["newText"])
