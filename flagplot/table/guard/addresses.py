"""Addresses of the net: who counts as one visitor, and which addresses lie outside the server's own network."""

from __future__ import annotations

import ipaddress
from typing import Final, TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

VISITOR_PREFIX: Final = 64
"""A household or a rented machine gets a whole /64 of IPv6 and can take any of its addresses."""
GLOBAL_IPV6: Final = ipaddress.IPv6Network("2000::/3")
"""All of IPv6 that is given out for machines that everybody can reach."""
SPECIAL_IPV6: Final = tuple(
    ipaddress.IPv6Network(text)
    for text in (
        "2001::/23",  # protocols, among them Teredo, which holds an address of IPv4
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which holds an address of IPv4
        "2620:4f:8000::/48",  # sinks for questions about private addresses
        "3fff::/20",  # documentation
    )
)
SPECIAL_IPV4: Final = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # behind the address translation of a provider
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocols
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # sinks for questions about private addresses
        "192.52.193.0/24",  # multicast tunnels
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",
        "192.175.48.0/24",  # sinks for questions about private addresses
        "198.18.0.0/15",  # measuring of routers
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/3",  # multicast, and what is reserved
    )
)
"""The registries of special addresses, written out: `ipaddress` knows others in each version of Python."""


def read_address(text: str) -> Address | None:
    """An address as it was written, without its zone; one of IPv4 that is written as IPv6 is told as IPv4."""
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found


def visitor_network(text: str) -> str:
    """Who counts as one visitor: an address of IPv4, a network of IPv6, or whatever else the connection is called."""
    address = read_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((address, VISITOR_PREFIX), strict=False))
    return str(address) if address else text


def is_outside(text: str) -> bool:
    """Whether an address is one that anybody on the net can reach: global unicast, and nothing else."""
    try:
        address = ipaddress.ip_address(text)  # one with a zone is of this network
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        return not address.scope_id and address in GLOBAL_IPV6 and not _is_in(address, SPECIAL_IPV6)
    return address.is_global and not _is_in(address, SPECIAL_IPV4)


def _is_in(address: Address, networks: tuple[ipaddress.IPv4Network, ...] | tuple[ipaddress.IPv6Network, ...]) -> bool:
    return any(address in network for network in networks)
