"""Runs the notebooks in docs/ and stores what their cells show, without Jupyter. Run it from the top folder:

.venv/bin/python -m tools.notebooks
"""

from __future__ import annotations

import ast
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "docs").glob("*.ipynb"))
PICTURES = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml"}


def executed(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """What each code cell shows, the cells run one after the other."""
    names: dict[str, Any] = {}
    codes = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [_run("".join(cell["source"]), names, number) for number, cell in enumerate(codes, start=1)]


def _run(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree, shown = ast.parse(source), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if shown is not None:
        data = {"text/plain": _lines(repr(shown))}
        for method, kind in PICTURES.items():
            if len(data) == 1 and hasattr(shown, method):
                data[kind] = _lines(getattr(shown, method)())
        outputs.append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data})
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    for path in NOTEBOOKS:
        notebook = json.loads(path.read_text(encoding="utf8"))
        codes = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for number, (cell, outputs) in enumerate(zip(codes, executed(notebook), strict=True), start=1):
            cell |= {"outputs": outputs, "execution_count": number, "metadata": {}}
        path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
