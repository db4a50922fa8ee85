"""How alembic runs the steps: on the connection that it is given, the same for both databases."""

from __future__ import annotations

from alembic import context

from flagplot.table.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
