import { Controller, Get, Header, Query, Render } from "@nestjs/common";
import { fortunes, VIEW } from "#shared/fortunes.js";
import { cachedRows, countOf, randomRow, randomRows, updatedRows } from "#shared/world.js";

/** Adds the header `server`. */
const Named = () => Header("server", "NestJS");

@Controller()
export class TechempowerController {
  @Get("plaintext")
  @Named()
  @Header("content-type", "text/plain")
  plaintext() {
    return "Hello, World!";
  }

  @Get("db")
  @Named()
  db() {
    return randomRow();
  }

  @Get("queries")
  @Named()
  queries(@Query("queries") queries?: string) {
    return randomRows(countOf(queries));
  }

  @Get("updates")
  @Named()
  updates(@Query("queries") queries?: string) {
    return updatedRows(countOf(queries));
  }

  @Get("cached")
  @Named()
  cached(@Query("queries") queries?: string) {
    return cachedRows(countOf(queries));
  }

  @Get("fortunes")
  @Named()
  @Render(VIEW)
  async fortunes() {
    return { fortunes: await fortunes() };
  }
}
