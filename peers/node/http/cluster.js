import cluster from "node:cluster";
import { availableParallelism } from "node:os";

const workers = Number(process.env.WORKERS ?? 1);

function share(total) {
  return Math.max(1, Math.floor(total / workers));
}

cluster.setupPrimary({ exec: "http/main.js" });
for (let i = 0; i < workers; i++) {
  cluster.fork({
    DB_POOL: share(process.env.DB_POOL ?? 10),
    CPU_WORKERS: share(process.env.CPU_WORKERS ?? availableParallelism()),
  });
}

function stop() {
  for (const worker of Object.values(cluster.workers)) worker.process.kill();
}

process.on("SIGTERM", stop);
// With a process less it would be another server than the one that is measured.
cluster.on("exit", stop);
