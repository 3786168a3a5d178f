import { createServer } from "node:http";
import { listener } from "./app.js";

createServer(listener).listen(process.env.PORT, process.env.HOST);
