import { listen } from "../shared/listen.js";
import { listener } from "./app.js";

listen(listener);
