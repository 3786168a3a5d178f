import { Module } from "@nestjs/common";
import { EchoGateway } from "./echo.gateway.js";
import { PlainController } from "./plain.controller.js";
import { RowsService } from "./rows.service.js";
import { SchemaController } from "./schema.controller.js";
import { TechempowerController } from "./techempower.controller.js";
import { WebController } from "./web.controller.js";

@Module({
  controllers: [PlainController, SchemaController, TechempowerController, WebController],
  providers: [RowsService, EchoGateway],
})
export class AppModule {}
