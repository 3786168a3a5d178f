import { Controller, Get, Query, Res } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { primes } from "#shared/primes.js";
import * as schema from "#shared/zod_schemas.js";
import { RowsService } from "./rows.service.js";
import { ZodPipe } from "./zod.pipe.js";

const { HELLO_HTML = "hello.html" } = process.env;

@Controller()
export class PlainController {
  #delayed = 0;

  constructor(private readonly rows: RowsService) {}

  @Get()
  text() {
    return "Hello world";
  }

  @Get("json")
  json() {
    return { message: "Hello world", ts: new Date() };
  }

  @Get("sql1")
  sql1() {
    return this.rows.now();
  }

  @Get("sql2")
  sql2() {
    return this.rows.users();
  }

  @Get("books")
  async books() {
    return { from: "nestjs", data: await this.rows.books() };
  }

  @Get("delay")
  async delay(
    @Query(new ZodPipe(schema.delay)) { ms, every }: { ms: number; every: number },
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (++this.#delayed % every === 0) await sleep(ms);
    reply.type("text/html; charset=utf-8");
    return readFile(HELLO_HTML);
  }

  @Get("primes")
  primes(@Query(new ZodPipe(schema.primes)) { limit }: { limit: number }) {
    return { numbers: primes(limit), from: "nestjs" };
  }
}
