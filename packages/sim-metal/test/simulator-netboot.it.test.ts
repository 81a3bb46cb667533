import type { GuestMachine } from "@capstan/simulation";
import { afterEach, describe, expect, it } from "vitest";
import type { MetalSimulator } from "../src/index.ts";
import { installationServices, type InstallationServices, type ServedAction } from "./installation-services.ts";
import { reset, startRack } from "./rack.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const mac = "52:54:00:00:00:0a";
const image = "https://images/ubuntu-2204:v1.34.2.gz";
const metadataConfig = (services: string): string =>
  `datasource:\n  Ec2:\n    metadata_urls: ["http://${services}:7080"]\n    strict_id: false\n`;

const standardActions = (services: string): readonly ServedAction[] => [
  { name: "stream image", image: "quay.io/oci2disk:v1", environment: [`IMG_URL=${image}`, "DEST_DISK=/dev/sda"] },
  {
    name: "cloud-init",
    image: "quay.io/writefile:v1",
    environment: [
      "DEST_DISK=/dev/sda1",
      "DEST_PATH=/etc/cloud/cloud.cfg.d/10_tinkerbell.cfg",
      `CONTENTS=${metadataConfig(services)}`,
      "MODE=0600",
    ],
  },
  {
    name: "kexec",
    image: "ghcr.io/waitdaemon:latest",
    environment: ["IMAGE=quay.io/kexec:v1", "WAIT_SECONDS=5", "BLOCK_DEVICE=/dev/sda1"],
  },
];

const userData = '#cloud-config\nruncmd: ["true"]\n# provider-id: "tinkerbell://default/a"\n';

const filesOf = (services: string, data: string): Readonly<Record<string, string>> => ({
  [`/ipxe/script/${mac}/auto.ipxe`]: `#!ipxe
set arch x86_64
:retry
kernel http://files/vmlinuz-\${arch} grpc_authority=${services}:42113 worker_id=${mac} hw_addr=${mac} && goto next || sleep 1 && goto retry
:next
initrd http://files/initramfs-\${arch}
boot || goto retry
`,
  "/2009-04-04/meta-data/instance-id": "i-1",
  "/2009-04-04/meta-data/": "instance-id\nlocal-hostname\noperating-system/",
  "/2009-04-04/meta-data/local-hostname": "node-a",
  "/2009-04-04/meta-data/operating-system/": "slug",
  "/2009-04-04/meta-data/operating-system/slug": "ubuntu",
  "/2009-04-04/user-data": data,
});

interface Started {
  readonly rack: MetalSimulator;
  readonly clock: Awaited<ReturnType<typeof startRack>>["clock"];
  readonly services: InstallationServices;
  readonly booted: GuestMachine[];
  readonly shutDown: string[];
}

const start = async (actions = standardActions, data = userData): Promise<Started> => {
  const booted: GuestMachine[] = [];
  const shutDown: string[] = [];
  const { rack, clock } = await startRack({
    seed: { machines: [{ name: "a", mac }] },
    guest: {
      boot: (machine) => void booted.push(machine),
      shutdown: (id, options) => void shutDown.push(`${id} ${options?.keepDisk === false ? "erased" : "kept"}`),
    },
  });
  stops.push(() => rack.stop());
  const at = rack.rack.state.services;
  const services = await installationServices(at, { actions: actions(at), files: filesOf(at, data) });
  stops.push(() => services.stop());
  return { rack, clock, services, booted, shutDown };
};

const states = ({ reports }: InstallationServices): readonly string[] =>
  reports.map(({ actionName, actionState }) => `${String(actionName)} ${String(actionState)}`);

describe("a machine that netboots", () => {
  it("runs the actions of its workflow and then the disk, whose cloud-init finds the metadata", async () => {
    const { rack, clock, services, booted, shutDown } = await start();
    await reset(rack, "a", "On");
    await clock.advanceUntil(() => booted.length > 0, { stepMs: 100 });
    expect(states(services)).toEqual(
      ["stream image", "cloud-init", "kexec"].flatMap((name) => [`${name} RUNNING`, `${name} SUCCESS`]),
    );
    const [first] = services.reports;
    expect(first).toMatchObject({ executionStart: { seconds: -62_135_596_800 }, actionId: "a0", agentId: mac });
    const machine = rack.rack.state.machines[0]!;
    expect(machine).toMatchObject({ providerID: "tinkerbell://default/a", bootedFrom: { kind: "disk", image } });
    expect(booted[0]).toMatchObject({
      id: "a",
      address: machine.address,
      hardware: { cpus: 2, memoryMiB: 4096 },
      userData: Buffer.from(userData).toString("base64"),
      metadata: { "instance-id": "i-1", "local-hostname": "node-a", "operating-system/slug": "ubuntu" },
    });
    expect(shutDown).toContain("a erased");
    expect(services.requests.every(({ from }) => from.startsWith(machine.address))).toBe(true);
  });

  it.each([
    "- name: provider-id\n  value: tinkerbell://default/a",
    '{"name":"provider-id","value":"tinkerbell://default/a"}',
    "--provider-id=tinkerbell://default/a",
  ])("is known by what its kubelet is to say: %s", async (argument) => {
    const content = argument.replaceAll("\n", "\n    ");
    const data = `#cloud-config\nwrite_files:\n- path: /x\n  content: |\n    ${content}\n`;
    const { rack, clock, booted } = await start(standardActions, data);
    await reset(rack, "a", "On");
    await clock.advanceUntil(() => booted.length > 0, { stepMs: 100 });
    expect(rack.rack.state.machines[0]!.providerID).toBe("tinkerbell://default/a");
  });

  it("boots its disk again after power was cut", async () => {
    const { rack, clock, booted } = await start();
    await reset(rack, "a", "On");
    await clock.advanceUntil(() => booted.length === 1, { stepMs: 100 });
    await reset(rack, "a", "PowerCycle");
    await clock.advanceUntil(() => booted.length === 2, { stepMs: 100 });
    expect(rack.console("a").filter((line) => line.startsWith("iPXE: http"))).toHaveLength(1);
  });

  it("reports the failure of an action, and why", async () => {
    const { rack, clock, services } = await start(() => [
      { name: "stream image", image: "oci2disk", environment: [`IMG_URL=${image}`, "DEST_DISK=/dev/nvme0n1"] },
    ]);
    await reset(rack, "a", "On");
    await clock.advanceUntil(() => services.reports.length === 2, { stepMs: 100 });
    expect(services.reports[1]).toMatchObject({
      actionState: "FAILED",
      message: { message: "/dev/nvme0n1: no such device" },
    });
  });

  it("fails where a test wants it to: an action, the agent, the whole machine", async () => {
    const { rack, clock, services, booted } = await start();
    rack.rack.guestPlans.add({ machine: "a", failingAction: "cloud-init" });
    await reset(rack, "a", "On");
    await clock.advanceUntil(() => states(services).includes("cloud-init FAILED"), { stepMs: 100 });

    rack.rack.guestPlans.clear();
    rack.rack.guestPlans.add({ machine: "a", agentDiesAt: "stream image" });
    (services.reports as unknown[]).length = 0;
    await reset(rack, "a", "PowerCycle");
    // It has a disk by now, without what its system needs.
    rack.rack.state.machines[0]!.oneTimeBootDevice = "pxe";
    await clock.advanceUntil(() => rack.console("a").includes("agent: killed"), { stepMs: 100 });
    expect(states(services)).toEqual(["stream image RUNNING"]);

    rack.rack.guestPlans.clear();
    rack.rack.guestPlans.add({ machine: "a", boot: "never" });
    const { length } = rack.console("a");
    await reset(rack, "a", "PowerCycle");
    await clock.advanceUntil(() => rack.rack.state.machines[0]!.power === "running", { stepMs: 100 });
    await clock.advance(60_000);
    expect(rack.console("a")).toHaveLength(length);
    expect(booted).toEqual([]);
  });

  it("asks again when no workflow is there yet, and boots its disk when it may not netboot", async () => {
    const { rack, clock, services } = await start(() => []);
    await reset(rack, "a", "On");
    const asked = () => services.requests.filter(({ path }) => path.startsWith("GetAction")).length;
    await clock.advanceUntil(() => asked() > 2, { stepMs: 500 });
    await services.stop();
    stops.pop();
    const machine = rack.rack.state.machines[0]!;
    machine.disks[0]!.image = "installed";
    machine.oneTimeBootDevice = "pxe";
    await reset(rack, "a", "PowerCycle");
    await clock.advanceUntil(() => rack.console("a").includes("firmware: booting from disk with installed"), {
      stepMs: 100,
    });
    expect(rack.console("a").join("\n")).toContain("cloud-init: no data source is configured");
  });
});
