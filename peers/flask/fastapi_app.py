"""A FastAPI application: https://fastapi.tiangolo.com"""

import asyncio
import os
from collections.abc import AsyncIterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from datetime import datetime, timezone
from hashlib import sha256
from itertools import count
from multiprocessing import get_context
from typing import Annotated, Any

import database
import models
from fastapi import Depends, FastAPI, Header, HTTPException, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from fastapi.sse import EventSourceResponse
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from primes import primes_as_published, primes_json
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

pool = AsyncConnectionPool(**database.pool_settings, open=False)
# Threads would take turns with the event loop; a fork would copy its threads.
cpu_workers = max(1, int(os.environ.get("CPU_WORKERS", 1)) // database.processes)
processes = ProcessPoolExecutor(cpu_workers, mp_context=get_context("spawn"))


@asynccontextmanager
async def lifespan(app):
    if database.has_database:
        await pool.open()
    yield
    processes.shutdown(cancel_futures=True)
    await pool.close()


async def connected():
    async with pool.connection() as connection:
        yield connection


Connection = Annotated[AsyncConnection, Depends(connected, scope="function")]
Wanted = Annotated[models.Rows, Query()]
# With a declared type, Pydantic writes the JSON; without one, FastAPI first copies the value in Python.
Object = dict[str, Any]

app = FastAPI(lifespan=lifespan)
app.mount("/static", StaticFiles(directory=os.environ["STATIC_FOLDER"]))
templates = Jinja2Templates(directory="templates")
templates.env.auto_reload = False  # or it would look at the file for each response
delays = count(1)


@app.exception_handler(RequestValidationError)
async def invalid(request, error):
    problems = [{"loc": one["loc"], "msg": one["msg"]} for one in error.errors()]
    return JSONResponse(problems, status_code=400)


@app.get("/", response_class=PlainTextResponse)
async def text():
    return "Hello world"


@app.get("/hello")
async def hello() -> dict[str, str]:
    return {"message": "Hello, World"}


@app.get("/hello-later", response_class=PlainTextResponse)
async def hello_later():
    await asyncio.sleep(0.1)
    return "Hello, World!"


@app.get("/json")
async def json() -> Object:
    return {"message": "Hello world", "ts": datetime.now(timezone.utc)}


@app.get("/sql1")
async def sql1(connection: Connection) -> Object:
    return await (await connection.execute(database.NOW)).fetchone()


@app.get("/sql2")
async def sql2(connection: Connection) -> list[Object]:
    cursor = await connection.execute(database.USERS, [database.random_offset()])
    return await cursor.fetchall()


@app.get("/books")
async def books(connection: Connection) -> Object:
    data = await (await connection.execute(database.BOOKS)).fetchall()
    return {"from": "fastapi", "data": data}


@app.get("/delay")
async def delay(wait: Annotated[models.Delay, Query()]):
    if next(delays) % wait.every == 0:
        await asyncio.sleep(wait.ms / 1000)
    return FileResponse(os.environ["HELLO_HTML"])


@app.get("/primes")
async def primes(wanted: Annotated[models.Primes, Query()]):
    loop = asyncio.get_running_loop()
    body = await loop.run_in_executor(processes, primes_json, wanted.limit, "fastapi")
    return Response(body, media_type="application/json")


@app.get("/primes-published")
async def primes_published(wanted: Annotated[models.Primes, Query()]) -> Object:
    return {"numbers": primes_as_published(wanted.limit), "from": "fastapi"}


async def only_json(request: Request):
    # FastAPI takes any content type that ends with +json.
    content_type = request.headers.get("content-type", "")
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415)


@app.post("/schema", dependencies=[Depends(only_json)], max_body_size=65_536)
async def schema(
    body: models.Body,
    query: Annotated[models.Query, Query()],
    x_foo: Annotated[str, Header()],
) -> Object:
    return {"message": "Hello, World"}


@app.get("/plaintext", response_class=PlainTextResponse)
async def plaintext():
    return "Hello, World!"


async def random_row(connection):
    cursor = await connection.execute(database.WORLD, [database.random_world()])
    return await cursor.fetchone()


async def random_rows(connection, count):
    async with connection.pipeline():
        ids = [database.random_world() for _ in range(count)]
        cursors = [await connection.execute(database.WORLD, [one]) for one in ids]
    return [await cursor.fetchone() for cursor in cursors]


@app.get("/db")
async def db(connection: Connection) -> Object:
    return await random_row(connection)


@app.get("/queries")
async def queries(wanted: Wanted, connection: Connection) -> list[Object]:
    return await random_rows(connection, wanted.queries)


@app.get("/updates")
async def updates(wanted: Wanted, connection: Connection) -> list[Object]:
    rows = await random_rows(connection, wanted.queries)
    await connection.execute(database.UPDATE_WORLD, database.change(rows))
    return rows


worlds = {}


@app.get("/cached")
async def cached(wanted: Wanted) -> list[Object]:
    if not worlds:
        async with pool.connection() as connection:
            rows = await (await connection.execute(database.CACHED_WORLD)).fetchall()
        worlds.update((row["id"], row) for row in rows)
    return [worlds[database.random_world()] for _ in range(wanted.queries)]


@app.get("/fortunes")
async def fortunes(request: Request, connection: Connection):
    rows = await (await connection.execute(database.FORTUNES)).fetchall()
    page = {"fortunes": database.with_added(rows)}
    return templates.TemplateResponse(request, "fortunes.html", page)


@app.post("/upload", max_body_size=1_000_000)
async def upload(request: Request) -> Object:
    length = 0
    digest = sha256()
    async for chunk in request.stream():
        length += len(chunk)
        digest.update(chunk)
    return {"bytes": length, "sha256": digest.hexdigest()}


@app.get("/stream", response_class=EventSourceResponse)
async def stream(wanted: Annotated[models.Stream, Query()]) -> AsyncIterable[int]:
    for event in range(1, wanted.events + 1):
        if wanted.ms > 0 and event > 1:
            await asyncio.sleep(wanted.ms / 1000)
        yield event


@app.websocket("/echo")
async def echo(socket: WebSocket):
    await socket.accept()
    while (message := await socket.receive())["type"] == "websocket.receive":
        await socket.send({**message, "type": "websocket.send"})
