"""Who is really at the other end of a connection, and for whom a reverse proxy says that it speaks.

Limits go by whom a proxy speaks for (`client`). What is for this machine alone goes by the other end itself, and only
if nobody stands behind it.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from flagplot.table.guard.addresses import read_address
from flagplot.table.guard.hosts import is_this_machine, name_of

PEER = "flagplot.peer"
"""The key of a scope for the address of the other end itself."""
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")
"""What a proxy adds when it passes a request on."""


class Peers:
    """Notes the other end of each connection; then a proxy that is trusted may say whom it speaks for."""

    def __init__(self, app: ASGIApp, proxies: str) -> None:
        self.app = ProxyHeadersMiddleware(app, proxies)  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if client:
            address = read_address(client[0])
            scope[PEER] = str(address or client[0])
            scope["client"] = (scope[PEER], client[1])  # 127.0.0.1 may come as ::ffff:127.0.0.1
        await self.app(scope, receive, send)  # type: ignore[arg-type]


def is_local(scope: Scope) -> bool:
    """Whether a program on this machine asks for itself: nobody stands behind it, and it calls us by a local name."""
    peer = read_address(scope.get(PEER, ""))
    headers = Headers(scope=scope)
    if peer is None or not peer.is_loopback or any(name in headers for name in FORWARDED):
        return False
    return is_this_machine(name_of(headers.get("host", "")))
