import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { openDataFolder, silentView, simulatedLinode, startSystem } from "@capstan/cli/up";
import { silentLogger } from "@capstan/contract";
import type { GuestHostV1, GuestMachineV1 } from "@capstan/contract/v1";
import { createGuestHost } from "@capstan/guest";
import { createSimulation } from "@capstan/infra-linode/sim";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { releases, unavailable } from "../src/assets/prepare.ts";
import { createHostNetwork } from "../src/host/host-network.ts";
import { MachineHost } from "../src/host/machine-host.ts";
import { createNamespaces, type Namespaces } from "../src/host/namespaces.ts";
import { prepareFlavorAssets } from "../src/repository/prepare-flavor-assets.ts";
import { serveInternet } from "../src/repository/serve-internet.ts";
import { factsScript, readFacts } from "./machine-facts.ts";

const say = (line: string): void => console.error(`nodes: ${line}`);
const minute = 60_000;
const [version] = releases;
const root = join(import.meta.dirname, "../../..");
const missing = ["dpkg-deb", "dpkg-scanpackages", "gpg"].filter((name) => spawnSync(name, ["--version"]).status !== 0);
const why = unavailable() ?? (missing.length > 0 ? `${missing.join(", ")} must be installed` : undefined);
if (why !== undefined) say(`the user data of flavors is not tried on real machines: ${why}`);

/** What `capstan generate cluster` prints. */
const generate = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    join(root, "apps/cli/bin/capstan.js"),
    ["generate", "cluster", "orchid", ...args],
    { cwd: root, maxBuffer: 2 ** 24 },
  );
  return stdout;
};

describe.skipIf(why !== undefined)("the user data of a flavor, on a simulated and on a real machine", () => {
  let host: MachineHost;
  let namespaces: Namespaces;
  const folder = mkdtempSync(join(tmpdir(), "capstan-flavors-"));
  const cleanups: (() => Promise<unknown> | void)[] = [() => rmSync(folder, { recursive: true })];

  beforeAll(async () => {
    const { assets, cache, packages } = await prepareFlavorAssets(say);
    const network = await createHostNetwork();
    cleanups.push(() => network.remove());
    namespaces = createNamespaces(network, assets);
    host = new MachineHost({ launcher: namespaces, network: network.prefix, images: Object.keys(assets.images) });
    cleanups.push(() => host.stop());
    const internet = await serveInternet({ cache, packages, address: `${network.prefix}.1` });
    cleanups.push(() => internet.close());
  }, 30 * minute);

  afterAll(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }, 5 * minute);

  const eventually = async <T>(check: () => Promise<T | undefined>, withinMs: number): Promise<T | undefined> => {
    const end = performance.now() + withinMs;
    while (performance.now() < end) {
      const found = await check().catch(() => undefined);
      if (found !== undefined) return found;
      await pause(1000);
    }
    return undefined;
  };

  /** What the first control-plane machine of a manifest is given, and the facts of its simulated one when it has booted. */
  const simulated = async (manifest: string): Promise<{ readonly machine: GuestMachineV1; readonly facts: string }> => {
    const file = join(folder, "cluster.yaml");
    writeFileSync(file, manifest);
    const first = Promise.withResolvers<{ readonly machine: GuestMachineV1; readonly guest: GuestHostV1 }>();
    const data = openDataFolder("", { temporary: true });
    const system = await startSystem(simulatedLinode([file]), {
      clock: systemClock,
      random: cryptoRandom,
      log: silentLogger,
      view: silentView,
      data,
      variables: () => undefined,
      simulations: {
        linode: (outside) =>
          createSimulation({
            ...outside,
            guest: () => {
              const guest = createGuestHost({ clock: systemClock, random: cryptoRandom, lenient: false });
              return {
                ...guest,
                boot: async (machine) => {
                  await guest.boot(machine);
                  first.resolve({ machine, guest });
                },
              };
            },
          }),
      },
    });
    try {
      const { machine, guest } = await first.promise;
      const run = await guest.run?.(machine.id, factsScript);
      return { machine, facts: `${run?.stdout ?? ""}${run?.stderr ?? ""}` };
    } finally {
      await system.stop();
      data.close();
    }
  };

  /** The facts of a real machine that boots the same. */
  const real = async (machine: GuestMachineV1, image: string): Promise<string> => {
    const { id } = host.create({
      tag: machine.name,
      name: machine.name,
      image,
      userData: Buffer.from(machine.userData, "base64"),
      metadata: machine.metadata,
    });
    host.start(id);
    const isOver = await eventually(
      async () => namespaces.execute(id, ["cat", "/var/lib/cloud/instance/boot-finished"]),
      10 * minute,
    );
    const { state, message } = host.machines.get(id) ?? {};
    if (state !== "running") throw new Error(`the machine is ${state}: ${message}`);
    const log = await namespaces.execute(id, ["tail", "-c", "6000", "/var/log/cloud-init-output.log"]).catch(String);
    if (isOver === undefined) throw new Error(`cloud-init does not end:\n${log}`);
    return namespaces.execute(id, ["bash", "-c", factsScript]);
  };

  it(
    "of Linode with kubeadm installs Kubernetes and initializes a cluster",
    async () => {
      const text = await generate("-i", "linode", "--kubernetes-version", version);
      const { machine, facts } = await simulated(text);
      expect(readFacts(facts)).toEqual(readFacts(await real(machine, `bare-${version}`)));
    },
    20 * minute,
  );
});
