"""The other end of webhooks and mails: it keeps what arrives, byte by byte."""

from __future__ import annotations

import socketserver
import threading
from typing import Any


class _Hook(socketserver.StreamRequestHandler):
    """Takes one webhook."""

    def handle(self) -> None:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.rfile.readline()
            if not line:
                return
            head += line
        size = next(int(line[15:]) for line in head.lower().splitlines() if line.startswith(b"content-length:"))
        self.server.box.came.append(("webhook", head + self.rfile.read(size)))  # type: ignore[attr-defined]
        self.wfile.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")


class _Smtp(socketserver.StreamRequestHandler):
    """Takes mails, with as much of the protocol as a sender needs."""

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        letter = b""
        while line := self.rfile.readline():
            word = line[:4].upper()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                while (part := self.rfile.readline()) not in (b".\r\n", b""):
                    letter += part
                self.server.box.came.append(("mail", letter))  # type: ignore[attr-defined]
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 yes\r\n")
            if word == b"QUIT":
                return
            if word in (b"MAIL", b"RCPT"):
                letter = letter * (word == b"RCPT") + line


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    box: Mailbox


class Mailbox:
    """A receiver of webhooks and a mail server."""

    def __init__(self) -> None:
        self.came: list[tuple[str, bytes]] = []
        self._servers = [self._served(_Hook), self._served(_Smtp)]
        hooks, mails = (server.server_address[1] for server in self._servers)
        self.webhook = f"http://127.0.0.1:{hooks}/"
        self.smtp = f"smtp://127.0.0.1:{mails}?from=table@example.org"

    def _served(self, handler: Any) -> _Server:
        server = _Server(("127.0.0.1", 0), handler)
        server.box = self
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return server

    def taken(self, mark: str) -> list[tuple[str, bytes]]:
        """What came since it was last asked, of what is meant for somebody; the rest is thrown away."""
        found = sorted((kind, text) for kind, text in self.came if mark.encode() in text)
        self.came.clear()
        return found

    def close(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()
