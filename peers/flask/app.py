"""A Flask application: https://flask.palletsprojects.com"""

import logging
import os
from datetime import datetime, timezone
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from time import sleep

import database
from flask import Flask, Response, abort, render_template, request, send_from_directory
from flask_sock import Sock
from models import Body, Delay, Primes, Query, Rows, Stream
from primes import primes_as_published, primes_up_to
from psycopg_pool import ConnectionPool
from pydantic import ValidationError
from werkzeug.utils import safe_join

# Of files that lie compressed beside those that they were made of.
ENDINGS = {"br": ".br", "gzip": ".gz"}

app = Flask(__name__, static_folder=None)
sock = Sock(app)
pool = ConnectionPool(**database.pool_settings, open=database.has_database)
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
        row = connection.execute(database.NOW).fetchone()
    return {"ts": row["ts"].isoformat()}


@app.get("/sql2")
def sql2():
    with pool.connection() as connection:
        return connection.execute(database.USERS, [database.random_offset()]).fetchall()


@app.get("/books")
def books():
    with pool.connection() as connection:
        data = connection.execute(database.BOOKS).fetchall()
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


@app.get("/plaintext")
def plaintext():
    return Response("Hello, World!", mimetype="text/plain")


def random_row(connection):
    return connection.execute(database.WORLD, [database.random_world()]).fetchone()


def rows_wanted():
    return Rows.model_validate(request.args.to_dict()).queries


@app.get("/db")
def db():
    with pool.connection() as connection:
        return random_row(connection)


@app.get("/queries")
def queries():
    with pool.connection() as connection:
        return [random_row(connection) for _ in range(rows_wanted())]


@app.get("/updates")
def updates():
    with pool.connection() as connection:
        rows = [random_row(connection) for _ in range(rows_wanted())]
        connection.execute(database.UPDATE_WORLD, database.change(rows))
    return rows


@cache
def worlds():
    with pool.connection() as connection:
        return {row["id"]: row for row in connection.execute(database.CACHED_WORLD)}


@app.get("/cached")
def cached():
    return [worlds()[database.random_world()] for _ in range(rows_wanted())]


@app.get("/fortunes")
def fortunes():
    with pool.connection() as connection:
        rows = connection.execute(database.FORTUNES).fetchall()
    return render_template("fortunes.html", fortunes=database.with_added(rows))


@app.get("/static/<path:name>")
def static(name):
    folder = os.environ["STATIC_FOLDER"]
    coding = request.accept_encodings.best_match(ENDINGS)
    ending = ENDINGS.get(coding, "")
    if Path(safe_join(folder, name + ending) or "").is_file():
        name += ending
    response = send_from_directory(folder, name)
    response.vary.add("Accept-Encoding")
    return response


@app.post("/upload")
def upload():
    request.max_content_length = 1_000_000
    body = request.get_data()
    return {"bytes": len(body), "sha256": sha256(body).hexdigest()}


@app.get("/stream")
def stream():
    wanted = Stream.model_validate(request.args.to_dict())

    def events():
        for event in range(1, wanted.events + 1):
            if wanted.ms > 0 and event > 1:
                sleep(wanted.ms / 1000)
            yield f"data: {event}\n\n"

    return Response(events(), mimetype="text/event-stream")


@sock.route("/echo")
def echo(socket):
    while True:
        socket.send(socket.receive())
