"""`flagplot odds KIND`: a command for each kind of question, made of the fields of its dataclass."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Annotated, Any

import typer

from flagplot.cli.odds.commands import odds_app, show
from flagplot.cli.plots import Json, Plot
from flagplot.odds import ask as odds
from flagplot.odds.questions.forms import FORMS
from flagplot.odds.questions.question import Form, Word

TYPES: dict[str, Any] = {"flag": bool, "many": list[str] | None, "text": str}


def _parameter(word: Word) -> Parameter:
    """A word of a question as a parameter of a command."""
    default = {"flag": False, "many": None, "text": word.default}[word.kind]
    kind = str | None if word.kind == "text" and default is None else TYPES[word.kind]
    option = typer.Option(word.called, metavar=word.metavar or None, help=word.about)
    return Parameter(
        word.name,
        Parameter.KEYWORD_ONLY,
        annotation=Annotated[kind, option],
        default=Parameter.empty if word.needed else default,
    )


def _command(form: Form) -> Callable[..., None]:
    """The command that asks a kind of question."""

    def ask(plot: str | None, json: bool, **said: Any) -> None:
        show(odds(form.kind, **said), as_json=json, plot=plot)

    parameters = [_parameter(word) for word in form.words]
    parameters += [
        Parameter("plot", Parameter.KEYWORD_ONLY, annotation=Plot, default=None),
        Parameter("json", Parameter.KEYWORD_ONLY, annotation=Json, default=False),
    ]
    ask.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    ask.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    options = {word.name: word.called for word in form.words}
    ask.__doc__ = "\n\n".join(filter(None, [form.about, form.more.format_map(options)]))
    return ask


for form in FORMS.values():
    odds_app.command(form.kind)(_command(form))
