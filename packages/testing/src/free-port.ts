import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below what systems give out by themselves: no one gets one of these by chance between the choice and the use. */
const lowest = 20_000;
const ports = 10_000;

let last = randomInt(ports);

/** A TCP port of 127.0.0.1 on which no one listens, for programs that cannot choose one themselves; never the same twice. Rejects when there is none. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < ports; tries++) {
    last = (last + 1) % ports;
    const port = lowest + last;
    if (await isFree(port)) return port;
  }
  throw new Error(`every port from ${lowest} to ${lowest + ports - 1} is taken`);
};

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
};
