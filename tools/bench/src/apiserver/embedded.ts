import { createApiServer } from "@capstan/apiserver";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { benchToken } from "./subject.ts";

/** A server of its own process: `embedded.ts <port> <data file, or nothing for memory>`. Ends when its parent says so. */
const [port = "0", file = ""] = process.argv.slice(2);
const server = createApiServer({
  clock: systemClock,
  random: cryptoRandom,
  port: Number(port),
  storage: file === "" ? "memory" : { file },
  tokens: { [benchToken]: { name: "bench", groups: ["system:masters"] } },
});
await server.start();

process.on("message", (message) => {
  if (message === "memory") {
    globalThis.gc?.();
    process.send?.(process.memoryUsage());
  } else {
    void server.stop().then(() => process.disconnect());
  }
});
