import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { DataFolder } from "./data-folder.ts";

/** A file that cannot be read is as good as none: the ports are only a convenience, and it is written anew. */
const read = (data: DataFolder): Readonly<Record<string, number>> => {
  try {
    return JSON.parse(readFileSync(data.file("ports.json"), "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
};

/** The port a server had last time, so that addresses stay valid over restarts; 0 when there is none or somebody else has it now. */
export const rememberedPort = async (data: DataFolder, name: string): Promise<number> => {
  const port = read(data)[name] ?? 0;
  return port !== 0 && (await isFree(port)) ? port : 0;
};

/** Keeps the port of a URL under a name. */
export const rememberPort = (data: DataFolder, name: string, url: string): void => {
  const port = Number(new URL(url).port);
  const ports = read(data);
  if (ports[name] !== port) writeFileSync(data.file("ports.json"), `${JSON.stringify({ ...ports, [name]: port })}\n`);
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
