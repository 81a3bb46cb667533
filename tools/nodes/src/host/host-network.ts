import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../assets/run.ts";
import { removeCgroups } from "./cgroups.ts";
import { abandonedClaims, claimFirst, releaseClaim } from "./claims.ts";

const folders = "/tmp/capstan-nodes";
const numbers = Array.from({ length: 100 }, (_, index) => String(100 + index));

/** A bridge of this host for machines, with a folder of its own. */
export interface HostNetwork {
  /** The first three numbers of its addresses; the host is `.1`. */
  readonly prefix: string;
  /** The first three numbers of the addresses from which its machines reach servers on loopback addresses of the host. */
  readonly loopbackPrefix: string;
  readonly bridge: string;
  readonly folder: string;
  remove(): Promise<void>;
}

/** Cgroups of machines begin with it too; the hyphen ends the number. */
const bridgeOf = (number: string): string => `capnodes${number}-`;

/** Whatever a network has left, as far as it was made. */
const removeRemains = async (number: string): Promise<void> => {
  await run("ip", ["link", "delete", bridgeOf(number)]).catch(() => undefined);
  removeCgroups(bridgeOf(number));
  rmSync(join(folders, number), { recursive: true, force: true });
};

/** Its number is free once nothing of it is left. */
const removeNetwork = async (number: string): Promise<void> => {
  await removeRemains(number);
  releaseClaim(folders, number);
};

/** Makes a network that is no one else's, without a way out of this host. */
export const createHostNetwork = async (): Promise<HostNetwork> => {
  mkdirSync(folders, { recursive: true });
  // Their machines ended with the processes that owned them.
  for (const number of abandonedClaims(folders)) await removeNetwork(number);
  const number = claimFirst(folders, numbers);
  if (number === undefined) throw new Error(`all networks are taken: see ${folders}`);
  await removeRemains(number);
  mkdirSync(join(folders, number));
  const bridge = bridgeOf(number);
  const prefix = `10.77.${number}`;
  await run("ip", ["link", "add", bridge, "type", "bridge"]);
  await run("ip", ["address", "add", `${prefix}.1/24`, "dev", bridge]);
  await run("ip", ["link", "set", bridge, "up"]);
  // Simulated clouds have 127.16.0.0 and above, so that these are nobody's.
  const loopbackPrefix = `127.15.${number}`;
  writeFileSync(`/proc/sys/net/ipv4/conf/${bridge}/route_localnet`, "1");
  await run("ip", ["route", "add", `${loopbackPrefix}.0/24`, "dev", bridge, "table", "local"]);
  return { prefix, loopbackPrefix, bridge, folder: join(folders, number), remove: () => removeNetwork(number) };
};
