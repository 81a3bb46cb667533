import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { silentLogger } from "@capstan/contract";
import { createSimulation, type LinodeSimulator } from "@capstan/sim-linode";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { openDataFolder, silentView, simulatedLinode, startSystem, type RunningSystem } from "../../src/embedded-up.ts";
import { exampleGoingOn } from "./going-on.ts";
import { bootMachine, buildRoot, unavailable, type BootedMachine } from "./cloud-init-root.ts";

const reason = unavailable();
if (reason !== undefined) console.log(`the real StackScript is skipped: ${reason}`);

const example = exampleGoingOn();

/** The contents of the large file as the manifest has them. */
const largeFile = (): string => {
  const secrets = parseAllDocuments(readFileSync(example, "utf8")).map(
    (document) => document.toJS() as { metadata?: { name?: string }; stringData?: { content?: string } },
  );
  return secrets.find(({ metadata }) => metadata?.name === "orchid-large-file")?.stringData?.content ?? "";
};

const digest = (text = ""): string => createHash("sha256").update(text).digest("hex");

describe.skipIf(reason !== undefined)("machines in a region without a metadata service, by their StackScript", () => {
  let root: string;
  let system: RunningSystem;
  let simulator: LinodeSimulator;
  const worker = Promise.withResolvers<string>();
  const data = openDataFolder("", { temporary: true });

  beforeAll(async () => {
    root = buildRoot();
    system = await startSystem(simulatedLinode([example]), {
      clock: systemClock,
      random: cryptoRandom,
      log: silentLogger,
      view: silentView,
      data,
      variables: (name) => (name === "LINODE_REGION" ? "us-west" : undefined),
      simulations: {
        linode: async (outside) => {
          const simulation = await createSimulation({
            ...outside,
            guest: (name) => {
              const guest = outside.guest(name);
              return {
                // Workers are only caught: the real script is to start them.
                boot: async (machine) =>
                  machine.name.includes("control-plane") ? guest.boot(machine) : worker.resolve(machine.name),
                shutdown: (id, options) => guest.shutdown(id, options),
              };
            },
          });
          ({ simulator } = simulation);
          return simulation;
        },
      },
    });
    await worker.promise;
  }, 600_000);

  afterAll(async () => {
    await system?.stop();
    data.close();
  });

  /** Runs what the API would run in the instance: the script, with its fields and the instance's id as variables. */
  const deploy = async (label: string, files: readonly string[]): Promise<BootedMachine> => {
    const instance = simulator.state.instances.find((each) => each.label === label);
    const script = simulator.state.stackScripts.find(({ id }) => id === instance?.stackScript?.id);
    const fields = Object.entries(instance?.stackScript?.data ?? {}).map(([name, value]) => [
      name.toUpperCase(),
      value,
    ]);
    return bootMachine({
      root,
      script: script?.script ?? "",
      environment: { ...Object.fromEntries(fields), LINODE_ID: String(instance?.id) },
      files,
    });
  };

  it("a worker joins, with its 40 kB file, after a control plane that came up in the simulation", async () => {
    const label = await worker.promise;
    const config = "/run/kubeadm/kubeadm-join-config.yaml";
    const sentinel = "/run/cluster-api/bootstrap-success.complete";
    const booted = await deploy(label, ["/opt/large-file.txt", config, sentinel]);
    expect(booted.result.v1.errors, booted.log.slice(-2000)).toEqual([]);
    expect(booted.result.v1.datasource).toContain("None");
    expect(digest(booted.file("/opt/large-file.txt"))).toBe(digest(largeFile()));
    expect(booted.file(config)).toContain(`name: '${label}'`);
    expect(booted.calls.map((line) => line.trim())).toEqual([`kubeadm join --config ${config}`]);
    expect(booted.file(sentinel)).toBe("success\n");
  });
});
