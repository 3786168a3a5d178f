"""A Flask application: https://flask.palletsprojects.com"""

import logging
import os
from datetime import datetime, timezone
from itertools import count
from pathlib import Path
from random import randint
from time import sleep

from flask import Flask, Response, abort, request
from pydantic import ValidationError

from database import pool
from models import Body, Delay, Primes, Query
from primes import primes_as_published, primes_up_to

LAST_OFFSET = 200_000 - 10

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 65_536
# The development server would write a line for each request.
logging.getLogger("werkzeug").setLevel(logging.WARNING)

delays = count(1)


@app.errorhandler(ValidationError)
def invalid(error):
    return error.errors(include_url=False, include_input=False), 400


@app.get("/")
def text():
    return Response("Hello world", mimetype="text/plain")


@app.get("/hello")
def hello():
    return {"message": "Hello, World"}


@app.get("/hello-later")
def hello_later():
    sleep(0.1)
    return Response("Hello, World!", mimetype="text/plain")


@app.get("/json")
def json():
    return {"message": "Hello world", "ts": datetime.now(timezone.utc).isoformat()}


@app.get("/sql1")
def sql1():
    with pool.connection() as connection:
        row = connection.execute("SELECT now() AS ts").fetchone()
    return {"ts": row["ts"].isoformat()}


@app.get("/sql2")
def sql2():
    with pool.connection() as connection:
        return connection.execute(
            "SELECT id, full_name, email FROM users LIMIT 10 OFFSET %s",
            [randint(0, LAST_OFFSET)],
        ).fetchall()


@app.get("/books")
def books():
    with pool.connection() as connection:
        data = connection.execute("SELECT * FROM books").fetchall()
    return {"from": "flask", "data": data}


@app.get("/delay")
def delay():
    wait = Delay.model_validate(request.args.to_dict())
    if next(delays) % wait.every == 0:
        sleep(wait.ms / 1000)
    return Path(os.environ["HELLO_HTML"]).read_bytes()


@app.get("/primes")
def primes():
    limit = Primes.model_validate(request.args.to_dict()).limit
    return {"numbers": primes_up_to(limit), "from": "flask"}


@app.get("/primes-published")
def primes_published():
    limit = Primes.model_validate(request.args.to_dict()).limit
    return {"numbers": primes_as_published(limit), "from": "flask"}


@app.post("/schema")
def schema():
    # Not `get_json`, which takes any content type that ends with +json.
    if request.mimetype != "application/json":
        abort(415)
    if "x-foo" not in request.headers:
        abort(400)
    Query.model_validate(request.args.to_dict())
    Body.model_validate_json(request.get_data())
    return {"message": "Hello, World"}
