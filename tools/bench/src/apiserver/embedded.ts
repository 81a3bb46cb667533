import { auditLogFile, createApiServer } from "@capstan/apiserver";
import { silentLogger } from "@capstan/contract";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { watchStops } from "./stop-watch.ts";
import { benchToken } from "./subject.ts";

/** A server of its own process: `embedded.ts <port> [data file, or nothing for memory] [audit log]`. Ends when its parent says so. */
const [port = "0", file = "", auditLog = ""] = process.argv.slice(2);
const server = createApiServer({
  clock: systemClock,
  random: cryptoRandom,
  port: Number(port),
  storage: file === "" ? "memory" : { file },
  ...(auditLog === ""
    ? {}
    : { audit: { sink: auditLogFile({ path: auditLog, clock: systemClock, log: silentLogger }) } }),
  tokens: { [benchToken]: { name: "bench", groups: ["system:masters"] } },
});
await server.start();

const stops = watchStops();

process.on("message", (message) => {
  if (message === "stops") {
    process.send?.(stops());
  } else if (message === "memory") {
    globalThis.gc?.();
    process.send?.(process.memoryUsage());
  } else {
    void server.stop().then(() => process.disconnect());
  }
});
