import { CapstanError } from "@capstan/contract";
import { checkShape, integer, list, object, type Refusal, text, type ValueOf } from "@capstan/simulation";
import { elementalMedium } from "./elemental/elemental-program.ts";
import { type StoredMachine, usualHardware } from "./state.ts";

const disk = object({ device: text({ pattern: /^\/dev\/[a-z0-9/-]+$/ }), image: text({ min: 1 }) }, ["device"]);

const machine = object(
  {
    name: text({ pattern: /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/ }),
    mac: text({ pattern: /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/ }),
    arch: text({ enum: ["x86_64", "aarch64"] }),
    firmware: text({ enum: ["uefi", "bios"] }),
    bmc: text({ enum: ["redfish", "rpc", "none"] }),
    cpus: integer,
    memoryMiB: integer,
    disks: list(disk),
    media: text({ min: 1 }),
    power: text({ enum: ["on", "off"] }),
  },
  ["name", "mac"],
);

/** Schema of a seed of the simulated rack. */
const seedShape = object({ machines: list(machine) }, ["machines"]);

/** Numbers of machines in a rack without a seed: with board management, and booting an Elemental medium. */
const standardMachines = 6;
const standardHosts = 4;

const standardSeed: ValueOf<typeof seedShape> = {
  machines: [
    ...Array.from({ length: standardMachines }, (_, index) => ({
      name: `metal-${index + 1}`,
      mac: `52:54:00:00:00:0${index + 1}`,
    })),
    ...Array.from({ length: standardHosts }, (_, index) => ({
      name: `host-${index + 1}`,
      mac: `52:54:00:00:01:0${index + 1}`,
      bmc: "none" as const,
      media: elementalMedium,
      power: "on" as const,
    })),
  ],
};

/** Credentials that every board management controller of the rack accepts. */
export const bmcCredentials = {
  username: "admin",
  password: "simulated-bmc-password",
  secret: "simulated-bmc-webhook-secret",
} as const;

const stored = (seeded: ValueOf<typeof machine>): StoredMachine => {
  const { name, mac, arch = "x86_64", firmware = "uefi", bmc = "redfish", power = "off", media } = seeded;
  return {
    name,
    mac,
    arch,
    uefi: firmware === "uefi",
    hardware: { cpus: seeded.cpus ?? usualHardware.cpus, memoryMiB: seeded.memoryMiB ?? usualHardware.memoryMiB },
    ...(bmc === "none" ? {} : { bmc: { kind: bmc, ...bmcCredentials, address: "" } }),
    disks: (seeded.disks ?? [{ device: "/dev/sda" }]).map((each) => ({ ...each, files: {} })),
    address: "",
    power: power === "on" ? "booting" : "off",
    bootDevice: media === undefined ? "disk" : "cdrom",
    ...(media === undefined ? {} : { virtualMedia: media }),
  };
};

/** The machines of a new rack: those of a seed, or some of each kind. Throws `metal.simulator_seed`. */
export const seededMachines = (seed: unknown = standardSeed): StoredMachine[] => {
  try {
    checkShape(seed, seedShape);
  } catch (error) {
    const { field = "", message } = error as Refusal;
    throw invalidSeed(`${field} ${message}; it has machines, each with name and mac`, error);
  }
  const { machines } = seed as ValueOf<typeof seedShape>;
  for (const { name, cpus = 1, memoryMiB = 1 } of machines) {
    if (cpus < 1 || memoryMiB < 1) throw invalidSeed(`${name} needs at least 1 CPU and 1 MiB of memory`);
  }
  for (const key of ["name", "mac"] as const) {
    const values = machines.map((each) => each[key]);
    const twice = values.find((value, index) => values.indexOf(value) !== index);
    if (twice !== undefined) throw invalidSeed(`two machines have the ${key} ${twice}; give each its own`);
  }
  return machines.map(stored);
};

const invalidSeed = (problem: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "metal.simulator_seed",
    reason: "SimulatorSeedInvalid",
    message: `the seed of the simulated rack: ${problem}`,
    retry: { kind: "never" },
    ...(cause === undefined ? {} : { cause }),
  });
