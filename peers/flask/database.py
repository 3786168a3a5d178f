"""What is asked of PostgreSQL, and how connections to it are shared."""

import os
from random import randint

from psycopg.rows import dict_row

# Each process has a pool of its own.
processes = int(os.environ.get("WEB_CONCURRENCY", 1))
size = max(1, int(os.environ.get("DB_POOL", 10)) // processes)

has_database = "DATABASE_URL" in os.environ
pool_settings = {
    "conninfo": os.environ.get("DATABASE_URL", ""),
    "min_size": size,
    "max_size": size,
    # Without autocommit each query would be a transaction: three statements.
    "kwargs": {"autocommit": True, "row_factory": dict_row},
}

NOW = "SELECT now() AS ts"
USERS = "SELECT id, full_name, email FROM users LIMIT 10 OFFSET %s"
BOOKS = "SELECT * FROM books"
FORTUNES = "SELECT id, message FROM fortune"
WORLD = 'SELECT id, random_number AS "randomNumber" FROM world WHERE id = %s'
CACHED_WORLD = 'SELECT id, random_number AS "randomNumber" FROM cached_world'
UPDATE_WORLD = """
    UPDATE world SET random_number = changed.number
    FROM unnest(%s::int[], %s::int[]) AS changed (id, number)
    WHERE world.id = changed.id
"""


def random_offset():
    return randint(0, 200_000 - 10)


def random_world():
    """An id, or a number, of the table `world`."""
    return randint(1, 10_000)


def change(rows):
    """Gives each row another number, and returns the parameters of UPDATE_WORLD."""
    for row in rows:
        row["randomNumber"] = random_world()
    # In one order everywhere, or else two updates may wait for each other.
    changed = sorted(rows, key=lambda row: row["id"])
    return [row["id"] for row in changed], [row["randomNumber"] for row in changed]


def with_added(fortunes):
    """The page's fortunes: those of the table, and one more."""
    added = {"id": 0, "message": "Brewed for this very request."}
    return sorted([*fortunes, added], key=lambda fortune: fortune["message"])
