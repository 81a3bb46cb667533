import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openDataFolder, silentView, simulatedLinode, startSystem, waitUntilRunning } from "@capstan/cli/up";
import { silentLogger } from "@capstan/contract";
import type { CreateSimulationV1, GuestHostV1, GuestMachineV1 } from "@capstan/contract/v1";
import { createSimulation as azure } from "@capstan/sim-azure";
import { createSimulation as linode } from "@capstan/sim-linode";
import { createSimulation as metal } from "@capstan/sim-metal";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { type Facts, factsScript, readFacts } from "./machine-facts.ts";

const simulations = { azure, linode, metal } satisfies Readonly<Record<string, CreateSimulationV1>>;

export type Cloud = keyof typeof simulations;

/** What `capstan generate cluster orchid` prints. */
export const generate = async (...args: readonly string[]): Promise<string> => {
  const root = join(import.meta.dirname, "../../..");
  const { stdout } = await promisify(execFile)(
    join(root, "apps/cli/bin/capstan.js"),
    ["generate", "cluster", "orchid", ...args],
    { cwd: root, maxBuffer: 2 ** 24 },
  );
  return stdout;
};

/** A machine of a flavor that has booted. */
export interface BootedMachine {
  readonly machine: GuestMachineV1;
  readonly facts: Facts;
}

/**
 * Applies a manifest to a simulated cloud, as `capstan up` does, and asks its machines for facts as soon as all of them run: the
 * control plane is the first. `guests`: what plays their inside. Default: the guest model, strict.
 */
export const runFlavor = async (options: {
  readonly cloud: Cloud;
  readonly manifest: string;
  readonly withinMs: number;
  readonly guests?: GuestHostV1;
  /** The address of this host at which machines find their documents. Default: loopback. */
  readonly address?: string;
  /** Says more of machines that do not come up, before they go. */
  readonly explain?: () => Promise<string>;
  /** Asks a machine for facts: what it prints is a fact a line. Default: what `machine-facts.ts` asks. */
  readonly question?: (machine: GuestMachineV1) => string;
}): Promise<readonly BootedMachine[]> => {
  const { address, cloud, explain, manifest, question = () => factsScript, withinMs } = options;
  const folder = mkdtempSync(join(tmpdir(), "capstan-flavor-"));
  const file = join(folder, "cluster.yaml");
  writeFileSync(file, manifest);
  const data = openDataFolder("", { temporary: true });
  const booted: GuestMachineV1[] = [];
  let inside: GuestHostV1 | undefined;
  const recorded = (guests: GuestHostV1): GuestHostV1 => {
    inside = guests;
    return {
      ...guests,
      boot: async (machine) => {
        booted.push(machine);
        await guests.boot(machine);
      },
    };
  };
  const system = await startSystem(
    {
      ...simulatedLinode([file]),
      simulate: [cloud],
      ...(address !== undefined && { objectStoreServer: { listen: { host: address, port: 0 } } }),
    },
    {
      clock: systemClock,
      random: cryptoRandom,
      log: silentLogger,
      view: silentView,
      data,
      variables: () => undefined,
      simulations: {
        [cloud]: (outside) =>
          simulations[cloud]({ ...outside, guest: (name) => recorded(options.guests ?? outside.guest(name)) }),
      },
    },
  );
  try {
    const { signal } = new AbortController();
    await waitUntilRunning(system, { clock: systemClock, timeoutMs: withinMs, signal });
    return await Promise.all(
      booted.map(async (machine) => {
        const run = await inside?.run?.(machine.id, question(machine));
        // Names have a random end.
        const said = booted.reduce(
          (text, { name }, index) => text.replaceAll(name, `machine-${index}`),
          `${run?.stdout ?? ""}${run?.stderr ?? ""}`,
        );
        return { machine, facts: readFacts(said) };
      }),
    );
  } catch (error) {
    throw explain === undefined ? error : new Error(await explain(), { cause: error });
  } finally {
    await system.stop();
    data.close();
    rmSync(folder, { recursive: true });
  }
};
