import cluster from "node:cluster";
import { availableParallelism } from "node:os";

const workers = Number(process.env.WORKERS ?? 1);

/** Returns the share of a worker, from 0; the first workers get the rest of the division. */
function share(total, worker) {
  return Math.max(1, Math.floor(total / workers) + (worker < total % workers ? 1 : 0));
}

cluster.setupPrimary({ exec: "http/main.js" });
for (let i = 0; i < workers; i++) {
  cluster.fork({
    DB_POOL: share(Number(process.env.DB_POOL ?? 10), i),
    CPU_WORKERS: share(Number(process.env.CPU_WORKERS ?? availableParallelism()), i),
  });
}

function stop() {
  for (const worker of Object.values(cluster.workers)) worker.process.kill();
}

process.on("SIGTERM", stop);
// With a process less it would be another server than the one that is measured.
cluster.on("exit", stop);
