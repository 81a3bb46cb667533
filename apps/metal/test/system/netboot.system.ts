import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSystem, whyNoSystem } from "./installation-system.ts";
import { lab } from "./netboot-lab.ts";

const binaries = "/usr/lib/ipxe";

const succeeds = (program: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
};
const isInstalled = (program: string): boolean => succeeds("sh", "-c", `command -v ${program}`);

const packages = "qemu-system-x86 ipxe-qemu ipxe busybox-static cpio iproute2";
const whyNot = (): string | undefined => {
  if (process.getuid?.() !== 0) return "network namespaces need root";
  const lacking = ["qemu-system-x86_64", "ip", "busybox", "cpio", "perl"].find((each) => !isInstalled(each));
  if (lacking !== undefined) return `there is no ${lacking}: apt-get install ${packages}`;
  if (!succeeds("test", "-e", `${binaries}/undionly.kpxe`)) return "there is no iPXE: apt-get install ipxe";
  if (!succeeds("test", "-e", "/dev/net/tun")) return "there is no /dev/net/tun";
  return whyNoSystem();
};

const reason = whyNot();
if (reason !== undefined) console.log(`booting from the network is skipped: ${reason}`);

const [rack, client] = ["capstan-rack", "capstan-client"];
const folder = mkdtempSync(join(tmpdir(), "capstan-netboot-"));
const inRack = ["netns", "exec", rack];
const said: Record<string, unknown>[] = [];
let services: ChildProcess | undefined;

const ip = (command: string): void => void execFileSync("ip", command.split(" "), { stdio: "pipe" });

const removeNetwork = (): void => {
  for (const each of [client, rack]) succeeds("ip", "netns", "del", each);
};

/** A bridge with the services' address, a machine's port, and another client in a namespace of its own. */
const makeNetwork = (): void => {
  removeNetwork();
  for (const each of [rack, client]) ip(`netns add ${each}`);
  ip(`-n ${rack} link set lo up`);
  ip(`-n ${rack} link add rack type bridge`);
  ip(`-n ${rack} addr add ${lab.server}/24 dev rack`);
  ip(`-n ${rack} link set rack up`);
  ip(`-n ${rack} tuntap add machine mode tap`);
  ip(`-n ${rack} link add to-client type veth peer name eth0 address ${lab.client.mac} netns ${client}`);
  for (const each of ["machine", "to-client"]) {
    ip(`-n ${rack} link set ${each} master rack`);
    ip(`-n ${rack} link set ${each} up`);
  }
  ip(`-n ${client} link set eth0 up`);
};

/** Starts Tinkerbell in the rack's namespace, and waits until it serves. */
const startServices = async (): Promise<void> => {
  const program = join(import.meta.dirname, "netboot-services.ts");
  const node = [process.execPath, "--conditions=@capstan/source", program, folder, binaries];
  services = spawn("ip", [...inRack, ...node], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: services.stdout! });
  const ready = Promise.withResolvers<void>();
  lines.on("line", (line) => {
    if (!line.startsWith("{")) return;
    said.push(JSON.parse(line) as Record<string, unknown>);
    if (said.at(-1)!["ready"] === true) ready.resolve();
  });
  const ended = once(services, "exit").then(() => Promise.reject(new Error("the services ended")));
  await Promise.race([ready.promise, ended]);
  ended.catch(() => undefined);
};

const inClient = (program: string, ...args: readonly string[]): string =>
  execFileSync("ip", ["netns", "exec", client, program, ...args], { cwd: folder, encoding: "utf8", timeout: 60_000 });

beforeAll(async () => {
  if (reason !== undefined) return;
  buildSystem(folder);
  makeNetwork();
  await startServices();
});
afterAll(async () => {
  if (services?.exitCode === null) {
    services.kill("SIGTERM");
    await once(services, "exit");
  }
  if (reason === undefined) removeNetwork();
  rmSync(folder, { recursive: true, force: true });
});

/** The script that udhcpc and dhclient run when they have got something. */
const script = `#!/bin/sh
case "$1$reason" in *bound*|*BOUND*) echo "$ip$new_ip_address $mask$new_subnet_mask $lease$new_dhcp_lease_time $hostname$new_host_name" > ${folder}/lease;; esac
[ -z "$ip" ] || ip addr replace "$ip/24" dev eth0
`;

const url = `tftp://${lab.server}/undionly.kpxe`;
const target = join(folder, "got");
/** Clients of TFTP, each with the options that it knows. */
const readers: readonly (readonly [string, readonly string[]])[] = [
  ["curl", ["--silent", "--output", target, url]],
  ["curl", ["--silent", "--tftp-blksize", "1468", "--output", target, url]],
  ["curl", ["--silent", "--tftp-no-options", "--output", target, url]],
  ["tftp", ["-m", "binary", lab.server, "-c", "get", "undionly.kpxe", target]],
  [
    "atftp",
    ["--option", "blksize 1428", "--option", "tsize 0", "--get", "-r", "undionly.kpxe", "-l", target, lab.server],
  ],
  ["atftp", ["--option", "windowsize 8", "--get", "-r", "undionly.kpxe", "-l", target, lab.server]],
  ["busybox", ["tftp", "-g", "-b", "1024", "-r", "undionly.kpxe", "-l", target, lab.server]],
];
const absent = new Set(readers.map(([program]) => program).filter((program) => !isInstalled(program)));
if (absent.size > 0) console.log(`TFTP is not read by ${[...absent].join(", ")}: not installed`);

describe.skipIf(reason !== undefined)("a network with nothing but Tinkerbell", () => {
  it.skipIf(!isInstalled("dhclient"))("gives dhclient the address that is reserved (skipped without dhclient)", () => {
    writeFileSync(join(folder, "script"), script, { mode: 0o755 });
    const files = ["-lf", join(folder, "leases"), "-pf", join(folder, "pid"), "-cf", "/dev/null"];
    inClient("dhclient", "-1", "-sf", join(folder, "script"), ...files, "eth0");
    inClient("dhclient", "-x", "-sf", join(folder, "script"), ...files, "eth0");
    const leases = (): string => readFileSync(join(folder, "lease"), "utf8");
    expect(leases()).toBe(`${lab.client.address} 255.255.255.0 3600 ${lab.client.name}\n`);
  });

  it("gives udhcpc the address that is reserved", () => {
    writeFileSync(join(folder, "script"), script, { mode: 0o755 });
    inClient("busybox", "udhcpc", "-i", "eth0", "-n", "-q", "-s", join(folder, "script"));
    expect(readFileSync(join(folder, "lease"), "utf8")).toBe(`${lab.client.address} 24 3600 ${lab.client.name}\n`);
  });

  it.each(readers.filter(([program]) => isInstalled(program)))(
    "sends %s %j a binary of iPXE by TFTP",
    (program, args) => {
      rmSync(target, { force: true });
      inClient(program, ...args);
      expect(readFileSync(target).equals(readFileSync(`${binaries}/undionly.kpxe`))).toBe(true);
    },
  );

  it("installs an empty machine: iPXE, kernel, agent, a Workflow that reads metadata and writes the disk", async () => {
    const disk = join(folder, "disk");
    writeFileSync(disk, "");
    truncateSync(disk, 16 * 1024 ** 2);
    const system = "-accel tcg -cpu max -m 512 -display none -monitor none -no-reboot";
    const network = "-netdev tap,id=n,ifname=machine,script=no,downscript=no";
    const card = `-device virtio-net-pci,netdev=n,mac=${lab.machine.mac},bootindex=1`;
    // The kernel's console is the second serial port, as on many servers.
    const devices = `-serial null -serial file:${join(folder, "console")} -drive file=${disk},if=virtio,format=raw`;
    const machine = spawn(
      "ip",
      [...inRack, "qemu-system-x86_64", ...`${system} ${network} ${card} ${devices}`.split(" ")],
      { stdio: "ignore" },
    );
    const [code] = (await once(machine, "exit")) as [number];
    expect(code, readFileSync(join(folder, "console"), "utf8").slice(-2000)).toBe(0);
    const written = readFileSync(disk).subarray(0, 200).toString().split("\0", 1)[0];
    expect(written).toBe(`CAPSTAN\n${lab.machine.name}\n${lab.userData}`);
    await expect
      .poll(() => said.at(-1))
      .toEqual({ state: "SUCCESS", actions: ["SUCCESS", "SUCCESS"], allowPXE: false });
  }, 600_000);
});
