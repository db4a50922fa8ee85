"""Rows of the courses of finished games."""

from __future__ import annotations

from sqlalchemy import select

from flagplot.table.store.database import Database
from flagplot.table.store.schema import courses


class CourseRows(Database):
    """How the chances of a finished game went. It can be worked out again from the game's lines."""

    def course(self, game: str) -> str:
        """The course of a game as text; empty if it was not worked out."""
        return str(self._scalar(select(courses.c.text).where(courses.c.game == game)) or "")

    def keep_course(self, game: str, text: str) -> None:
        with self._writing() as connection:
            self._put(connection, courses, {"game": game, "text": text})
