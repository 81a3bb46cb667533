import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { forwardTcp } from "@capstan/simulation/network";
import { systemClock } from "@capstan/runtime";
import { machineProgram } from "../assets/machine-image.ts";
import type { MachineAssets } from "../assets/prepare.ts";
import { run } from "../assets/run.ts";
import { createCgroups, removeCgroup } from "./cgroups.ts";
import type { HostNetwork } from "./host-network.ts";
import type { HostedMachine, Launcher } from "./machine-host.ts";
import { type MachineProcess, startMachineProcess } from "./machine-process.ts";

const apiServerPort = 6443;
const assembledWithinMs = 60_000;
const podNetworks = "10.244.0.0/16";
const podTable = "77";

/** Processes and resources of a running machine. */
interface Running {
  readonly process: MachineProcess;
  readonly cgroups: readonly string[];
  /** Process id of its first process, as the host numbers it. */
  pid?: number;
}

/** Machines as namespaces of this host. */
export interface Namespaces extends Launcher {
  /** Kills a machine as a failing power supply would; what it left is there until it is removed. */
  kill(id: string): void;
  /** Output of a program inside a running machine. */
  execute(id: string, args: readonly string[]): Promise<string>;
}

const until = async (check: () => boolean, withinMs: number): Promise<boolean> => {
  const end = systemClock.now() + withinMs;
  while (!check()) {
    if (systemClock.now() > end) return false;
    await systemClock.sleep(50);
  }
  return true;
};

const lastNumber = (address: string): string => address.split(".").at(-1) ?? "";

/** The layers of the store are shared, no one writes to their files; its databases are the machine's own. */
const copyStore = async (from: string, to: string): Promise<void> => {
  await run("cp", ["--archive", "--link", from, to]);
  for (const entry of await readdir(to, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".db")) continue;
    const file = join(entry.parentPath, entry.name);
    await cp(file, `${file}.own`);
    await rename(`${file}.own`, file);
  }
};

/** The network namespace of a stopped machine may outlive it, and keep the link whose name the next machine needs. */
const removeLink = async (name: string): Promise<void> => {
  try {
    await run("ip", ["link", "delete", name]);
  } catch (error) {
    if (existsSync(`/sys/class/net/${name}`)) throw error;
  }
};

const connectMachine = async (
  machine: HostedMachine,
  pid: number,
  { bridge, loopbackPrefix, prefix }: HostNetwork,
): Promise<void> => {
  const number = lastNumber(machine.address);
  const outside = `${bridge}${number}`;
  await removeLink(outside);
  await run("ip", ["link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", String(pid)]);
  await run("ip", ["link", "set", outside, "master", bridge, "up"]);
  const inside = (...args: readonly string[]) => run("nsenter", ["--net", "--target", String(pid), "ip", ...args]);
  await inside("link", "set", "lo", "up");
  await inside("address", "add", `${machine.address}/24`, "dev", "eth0");
  await inside("link", "set", "eth0", "up");
  await inside("route", "add", "default", "via", `${prefix}.1`);
  // Pods of machine x.y.z.n are 10.244.n.0/24. Its own are found before: they have a route of their own in the main table.
  await inside("rule", "add", "to", podNetworks, "table", podTable);
  const others = Array.from({ length: 253 }, (_, index) => String(index + 2)).filter((other) => other !== number);
  const script = others.map((other) => `ip route add 10.244.${other}.0/24 via ${prefix}.${other} table ${podTable}`);
  // Simulated clouds are on loopback addresses of the host. The kubelet lets nothing else go there than comes from one.
  const loopback = `${loopbackPrefix}.${number}`;
  script.push(
    "echo 1 > /proc/sys/net/ipv4/conf/eth0/route_localnet",
    // Otherwise it would answer ARP requests for the other machines' loopback addresses, which are local to it.
    "echo 1 > /proc/sys/net/ipv4/conf/eth0/arp_ignore",
    "ip route add local 127.0.0.0/12 dev lo table local",
    "ip route delete local 127.0.0.0/8 dev lo table local",
    `ip address add ${loopback}/32 dev eth0`,
    `ip route add 127.0.0.0/8 via ${prefix}.1 dev eth0 src ${loopback}`,
  );
  await run("nsenter", ["--net", "--target", String(pid), "sh", "-ec", script.join("\n")]);
};

const seedOf = ({ id, name, metadata }: HostedMachine): string =>
  Object.entries({ "instance-id": id, "local-hostname": name, ...metadata })
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join("");

const startMachine = async (machine: HostedMachine, network: HostNetwork, assets: MachineAssets): Promise<Running> => {
  const folder = join(network.folder, machine.id);
  const image = assets.images[machine.image] ?? "";
  for (const name of ["root", "written", "seed"]) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, "seed/user-data"), machine.userData);
  await writeFile(join(folder, "seed/meta-data"), seedOf(machine));
  await copyStore(await realpath(join(image, "containerd")), join(folder, "containerd"));
  const cgroups = createCgroups(`${network.bridge}${machine.id}`);
  const environment = {
    PATH: process.env["PATH"],
    MACHINE: folder,
    IMAGE: image,
    BASE: assets.base,
    CGROUPS: cgroups.join(" "),
    GATEWAY: `${network.prefix}.1`,
    POD_NETWORK: `10.244.${lastNumber(machine.address)}.0/24`,
  };
  const command = ["nice", "-n", "5", "bash", machineProgram("start.sh")] as const;
  return { process: startMachineProcess(command, { environment, log: join(folder, "log") }), cgroups };
};

/** Starts machines in namespaces: a real systemd, with what its image has and its user-data says. */
export const createNamespaces = (network: HostNetwork, assets: MachineAssets): Namespaces => {
  const running = new Map<string, Running>();
  const folderOf = (id: string): string => join(network.folder, id);
  const pidOf = (id: string): number => {
    const pid = running.get(id)?.pid;
    if (pid === undefined) throw new Error(`machine ${id} does not run`);
    return pid;
  };
  return {
    start: async (machine, onEnd) => {
      const folder = folderOf(machine.id);
      const started = await startMachine(machine, network, assets);
      running.set(machine.id, started);
      started.process.onEnd((message) => {
        delete started.pid;
        onEnd(message);
      });
      const isAssembled = await until(
        () => existsSync(join(folder, "assembled")) || started.process.ended() !== undefined,
        assembledWithinMs,
      );
      const pid = started.process.firstProcess();
      if (!isAssembled || pid === undefined) {
        const said = readFileSync(join(folder, "log"), "utf8").slice(-1000);
        throw new Error(`it was not put together: ${started.process.ended() ?? "it takes too long"}\n${said}`.trim());
      }
      started.pid = pid;
      await connectMachine(machine, pid, network);
      await writeFile(join(folder, "connected"), "");
    },
    remove: async ({ id }) => {
      const found = running.get(id);
      if (found === undefined) return;
      await found.process.kill();
      const isGone = (): boolean => found.cgroups.every(removeCgroup);
      if (!(await until(isGone, 30_000))) throw new Error(`cgroups are left: ${found.cgroups.join(" ")}`);
      await rm(folderOf(id), { recursive: true, force: true });
      running.delete(id);
    },
    serve: (endpoint, members) =>
      forwardTcp(endpoint, () => members().map(({ address }) => ({ host: address, port: apiServerPort }))),
    kill: (id) => void process.kill(pidOf(id), "SIGKILL"),
    execute: (id, args) => {
      const environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"];
      const namespaces = ["--mount", "--pid", "--uts", "--ipc", "--net", "--cgroup", "--target", String(pidOf(id))];
      return run("nsenter", [...namespaces, "env", "-i", ...environment, ...args]);
    },
  };
};
