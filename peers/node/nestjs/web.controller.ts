import { Body, Controller, Get, HttpCode, Post, Query, StreamableFile } from "@nestjs/common";
import { Readable } from "node:stream";
import { digestOf, events } from "#shared/web.js";
import * as schema from "#shared/zod_schemas.js";
import { ZodPipe } from "./zod.pipe.js";

@Controller()
export class WebController {
  @Post("upload")
  @HttpCode(200)
  upload(@Body() body?: Buffer) {
    return digestOf(body ?? Buffer.alloc(0));
  }

  /** Without `@Sse`, because it numbers the events. */
  @Get("stream")
  stream(@Query(new ZodPipe(schema.stream)) query: { events: number; ms: number }) {
    const body = Readable.from(events(query.events, query.ms));
    return new StreamableFile(body, { type: "text/event-stream" });
  }
}
