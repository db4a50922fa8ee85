"""How a command ends that cannot go on: bad input, Ctrl-C, or a reader that went away."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from flagplot.kernel.errors import FlagplotError, MissingExtra

DONE, NO, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141

JSON_WANTED = "flagplot.json"


WEB = {"alembic", "fastapi", "jinja2", "prometheus_client", "sqlalchemy", "sse_starlette", "starlette", "uvicorn"}
"""What only the table in the browser imports."""


def _extra_of(fault: ModuleNotFoundError) -> str:
    """The extra that brings a module."""
    return "web" if (fault.name or "").partition(".")[0] in WEB else ""


class Guarded(TyperGroup):
    """The group of all commands: what goes wrong inside one becomes a message and an exit code here, once for all."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[JSON_WANTED] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()
        except FlagplotError as error:
            complain(error, as_json=ctx.meta[JSON_WANTED])
            raise typer.Exit(BAD_INPUT) from error
        except typer.BadParameter as error:
            error.message = error.message or str(getattr(error.param, "help", "") or "")  # what to type
            raise
        except KeyboardInterrupt:
            print("\nflagplot: stopped", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
        except ModuleNotFoundError as fault:
            extra = _extra_of(fault)
            if not extra:
                raise
            complain(MissingExtra(extra, fault.name), as_json=ctx.meta[JSON_WANTED])
            raise typer.Exit(BAD_INPUT) from fault
        except BrokenPipeError:
            _forget_output()
            raise typer.Exit(BROKEN_PIPE) from None
        return answer


def complain(error: FlagplotError, *, as_json: bool = False) -> None:
    """Say on standard error what was wrong with the input."""
    text = json.dumps(error.as_dict(), ensure_ascii=False) if as_json else f"flagplot: {error}"
    print(text, file=sys.stderr)


def leave(code: int) -> None:
    """End a command with its exit code."""
    if code:
        raise typer.Exit(code)


def _forget_output() -> None:
    """Nobody reads standard output any more: let what is left in its buffer go nowhere, without a complaint."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
