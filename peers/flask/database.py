"""The connections to PostgreSQL."""

import os

from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

# Under gunicorn each process has a pool of its own.
processes = int(os.environ.get("WEB_CONCURRENCY", 1))
size = max(1, int(os.environ.get("DB_POOL", 10)) // processes)

pool = ConnectionPool(
    os.environ.get("DATABASE_URL", ""),
    min_size=size,
    max_size=size,
    # Without autocommit each query would be a transaction: three statements.
    kwargs={"autocommit": True, "row_factory": dict_row},
    open="DATABASE_URL" in os.environ,
)
