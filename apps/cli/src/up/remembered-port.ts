import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { DataFolder } from "./data-folder.ts";

/** A file that cannot be read is as good as none: the ports are only a convenience, and it is rewritten. */
const read = (data: DataFolder): Readonly<Record<string, number>> => {
  try {
    return JSON.parse(readFileSync(data.file("ports.json"), "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
};

/** Below what systems give out by themselves: while its server does not run, no one gets such a port by chance. */
const lowest = 10_000;
const highest = 20_000;
const tries = 20;
/** New ports that this process has chosen: several servers choose before the first of them listens, and each finds the same ones free. */
const chosen = new Set<number>();

/**
 * The port a server had last time, so that addresses stay valid over restarts, else a new one to remember; 0, which is any, in a
 * temporary folder or when none was found. `host`: the address to listen at, default 127.0.0.1. It is by chance, whatever the randomness of
 * everything else: processes that start at once with one seed would choose the same, and each find it free before the other listens.
 */
export const rememberedPort = async (
  name: string,
  { data, host = "127.0.0.1" }: { readonly data: DataFolder; readonly host?: string },
): Promise<number> => {
  const ports = read(data);
  const remembered = ports[name];
  if (remembered !== undefined && (await isFree(remembered, host))) return remembered;
  if (data.temporary) return 0;
  for (let left = tries; left > 0; left--) {
    const port = randomInt(lowest, highest);
    if (chosen.has(port) || Object.values(ports).includes(port)) continue;
    chosen.add(port);
    if (await isFree(port, host)) return port;
  }
  return 0;
};

/** Keeps the port of a URL under a name. */
export const rememberPort = (data: DataFolder, name: string, url: string): void => {
  const port = Number(new URL(url).port);
  const ports = read(data);
  if (ports[name] !== port) data.writeSecret("ports.json", `${JSON.stringify({ ...ports, [name]: port })}\n`);
};

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
