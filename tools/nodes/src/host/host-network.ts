import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../assets/run.ts";
import { removeCgroups } from "./cgroups.ts";

const folders = "/tmp/capstan-nodes";
const networks = Array.from({ length: 100 }, (_, index) => 100 + index);

/** A bridge of this host for machines, with a folder of its own. */
export interface HostNetwork {
  /** The first three numbers of its addresses; the host is `.1`. */
  readonly prefix: string;
  readonly bridge: string;
  readonly folder: string;
  remove(): Promise<void>;
}

/** When a process started: its number may be another one's later. */
const startedAt = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
  } catch {
    return undefined;
  }
};

/** Cgroups of machines begin with it too; the hyphen ends the number. */
const bridgeOf = (number: string): string => `capnodes${number}-`;

const removeNetwork = async (number: string): Promise<void> => {
  await run("ip", ["link", "delete", bridgeOf(number)]).catch(() => undefined);
  removeCgroups(bridgeOf(number));
  rmSync(join(folders, number), { recursive: true, force: true });
};

/** Removes the networks of processes that have ended without doing so. Their machines ended with them. */
const removeAbandoned = async (): Promise<void> => {
  for (const number of readdirSync(folders)) {
    const [pid = "", started = ""] = readFileSync(join(folders, number, "owner"), "utf8").split(" ");
    if (startedAt(Number(pid)) !== started) await removeNetwork(number);
  }
};

const claimNumber = (): string => {
  for (const number of networks.map(String)) {
    try {
      mkdirSync(join(folders, number));
      writeFileSync(join(folders, number, "owner"), `${process.pid} ${startedAt(process.pid)}`);
      return number;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  throw new Error(`all networks are taken: see ${folders}`);
};

/** Makes a network that is nobody else's, without a way out of this host. */
export const createHostNetwork = async (): Promise<HostNetwork> => {
  mkdirSync(folders, { recursive: true });
  await removeAbandoned();
  const number = claimNumber();
  const bridge = bridgeOf(number);
  const prefix = `10.77.${number}`;
  await run("ip", ["link", "add", bridge, "type", "bridge"]);
  await run("ip", ["address", "add", `${prefix}.1/24`, "dev", bridge]);
  await run("ip", ["link", "set", bridge, "up"]);
  return { prefix, bridge, folder: join(folders, number), remove: () => removeNetwork(number) };
};
