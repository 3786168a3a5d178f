import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Post,
  Query,
} from "@nestjs/common";
import * as schema from "#shared/zod_schemas.js";
import { ZodPipe } from "./zod.pipe.js";

/** All headers; pipes do not apply to Nest's `Headers` decorator. */
const AllHeaders = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest().headers,
);

@Controller("schema")
export class SchemaController {
  @Post()
  @HttpCode(200)
  check(
    @AllHeaders(new ZodPipe(schema.headers)) _headers: unknown,
    @Query(new ZodPipe(schema.query)) _query: unknown,
    @Body(new ZodPipe(schema.body)) _body: unknown,
  ) {
    return { message: "Hello, World" };
  }
}
