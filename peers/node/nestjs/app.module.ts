import { Module } from "@nestjs/common";
import { pool } from "#shared/pool.js";
import { EchoGateway } from "./echo.gateway.js";
import { PlainController } from "./plain.controller.js";
import { POOL, RowsService } from "./rows.service.js";
import { SchemaController } from "./schema.controller.js";
import { TechempowerController } from "./techempower.controller.js";
import { WebController } from "./web.controller.js";

@Module({
  controllers: [PlainController, SchemaController, TechempowerController, WebController],
  providers: [{ provide: POOL, useValue: pool }, RowsService, EchoGateway],
})
export class AppModule {}
