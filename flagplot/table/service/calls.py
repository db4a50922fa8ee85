"""Calls to seats whose turn it is and who are not there."""

from __future__ import annotations

from flagplot.table.info import Messenger
from flagplot.table.notifications import Notices
from flagplot.table.service.common import Service


class Calls(Service):
    """How a seat is called."""

    _notices: Notices

    def messenger(self, game_id: str, side: str) -> Messenger:
        """How a seat wants to be called when it is its turn and it is not there, and how the last call went."""
        return self._notices.messenger(game_id, side)

    def set_messenger(self, game_id: str, side: str, *, webhook: str = "", email: str = "") -> None:
        """Set the address of a webhook and an e-mail address; empty takes them away. An e-mail address is used when it
        was confirmed with the code that is sent there. Raises BadValue, NotAllowed, TooManyCalls."""
        self._notices.set_messenger(game_id, side, webhook, email)

    def test_messenger(self, game_id: str, side: str) -> None:
        """Have a call made now; `messenger` tells how it went when that is known, some seconds later. Raises BadValue
        if nothing is set, and TooManyCalls."""
        self._notices.test(game_id, side)

    def confirm_email(self, code: str) -> None:
        """Confirm an e-mail address by the code that was sent there. Raises BadValue."""
        self._notices.confirm(code)

    @property
    def has_mail(self) -> bool:
        """Whether this server can send e-mail."""
        return bool(self._notices.post.smtp)
