import { spawnSync } from "node:child_process";
import type { GuestHostV1, GuestMachineV1 } from "@capstan/contract/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unavailable } from "../src/assets/prepare.ts";
import { realGuests } from "../src/guests/real-guests.ts";
import { createHostNetwork } from "../src/host/host-network.ts";
import { MachineHost } from "../src/host/machine-host.ts";
import { createNamespaces, type Namespaces } from "../src/host/namespaces.ts";
import { flavorTarget, prepareFlavorAssets } from "../src/repository/prepare-flavor-assets.ts";
import { askedPath, serveInternet } from "../src/repository/serve-internet.ts";
import { filesScript, readFacts } from "./machine-facts.ts";
import { type Cloud, generate, runFlavor } from "./run-flavor.ts";

const say = (line: string): void => console.error(`nodes: ${line}`);
const minute = 60_000;
const { version } = flavorTarget;
const missing = ["dpkg-deb", "dpkg-scanpackages", "gpg"].filter((name) => spawnSync(name, ["--version"]).status !== 0);
const why = unavailable([flavorTarget]) ?? (missing.length > 0 ? `${missing.join(", ")} must be installed` : undefined);
if (why !== undefined) say(`the user data of flavors is not tried on real machines: ${why}`);

/**
 * Stands for the controller of a cloud, whose image is not here: says which machine each Node is and where it is, as the kubelet does
 * not that waits for such a controller, and takes its taint off.
 */
const withCloudController = (guests: GuestHostV1, addressOf: (id: string) => string): GuestHostV1 => {
  let first: string | undefined;
  const initialize = async (on: string, { id, metadata, name, providerID }: GuestMachineV1): Promise<void> => {
    const runs = async () => (await guests.run?.(on, "true"))?.exitCode;
    await expect.poll(runs, { timeout: 2 * minute }).toBe(0);
    const node = metadata["local-hostname"] ?? name;
    const addresses = [
      { type: "InternalIP", address: addressOf(id) },
      { type: "Hostname", address: node },
    ];
    await guests.run?.(
      on,
      `export KUBECONFIG=/etc/kubernetes/admin.conf
until kubectl get node ${node}; do sleep 1; done
kubectl patch node ${node} --patch '${JSON.stringify({ spec: { providerID } })}'
kubectl patch node ${node} --subresource status --patch '${JSON.stringify({ status: { addresses } })}'
kubectl taint node ${node} node.cloudprovider.kubernetes.io/uninitialized-`,
    );
  };
  return {
    ...guests,
    boot: async (machine) => {
      await guests.boot(machine);
      first ??= machine.id;
      // Without it no Machine will run, which says more.
      void initialize(first, machine).catch(() => undefined);
    },
  };
};

describe.skipIf(why !== undefined)("machines of a flavor, simulated and real", () => {
  let host: MachineHost;
  let namespaces: Namespaces;
  let address: string;
  const cleanups: (() => Promise<unknown> | void)[] = [];

  beforeAll(async () => {
    const { assets, cache, packages } = await prepareFlavorAssets(say);
    const network = await createHostNetwork();
    cleanups.push(() => network.remove());
    namespaces = createNamespaces(network, assets);
    host = new MachineHost({ launcher: namespaces, network: network.prefix, images: Object.keys(assets.images) });
    cleanups.push(() => host.stop());
    address = `${network.prefix}.1`;
    const internet = await serveInternet({ cache, packages, address });
    cleanups.push(() => internet.close());
  }, 30 * minute);

  afterAll(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }, 5 * minute);

  const addressOf = (id: string): string => [...host.machines.values()].find(({ tag }) => tag === id)?.address ?? "";

  /** For messages of failing tests. */
  const logs = async (): Promise<string> => {
    const said = [...host.machines.values()].map(async ({ id, message, name, state }) => {
      const log = await namespaces.execute(id, ["tail", "-c", "4000", "/var/log/cloud-init-output.log"]).catch(String);
      return `${name} ${state} ${message ?? ""}\n${log}`;
    });
    return (await Promise.all(said)).join("\n");
  };

  /** Runs the manifest with simulated and then with real machines, whose facts must be equal. */
  const compare = async (
    cloud: Cloud,
    image: "installed" | "bare",
    control: (guests: GuestHostV1) => GuestHostV1 = (guests) => guests,
  ): Promise<void> => {
    const manifest = await generate("-i", cloud, "--kubernetes-version", version);
    const simulated = await runFlavor({ cloud, manifest, withinMs: 2 * minute });
    const guests = control(realGuests({ host, namespaces, image }));
    const start = performance.now();
    try {
      const real = await runFlavor({ cloud, manifest, guests, address, explain: logs, withinMs: 15 * minute });
      say(`${cloud}: ${real.length} machines run after ${Math.round((performance.now() - start) / 1000)} s`);
      expect(simulated.map(({ facts }) => facts)).toEqual(real.map(({ facts }) => facts));
    } finally {
      await host.stop();
    }
  };

  it(
    "of Linode install Kubernetes on a stock image, initialize a cluster and join it",
    () => compare("linode", "bare"),
    25 * minute,
  );

  it(
    "of Azure initialize a cluster and join it",
    () => compare("azure", "installed", (guests) => withCloudController(guests, addressOf)),
    25 * minute,
  );

  it(
    "of metal initialize a cluster behind a virtual address and join it",
    () => compare("metal", "installed"),
    25 * minute,
  );

  it.each([
    {
      bootstrap: "k3s",
      release: "v1.35.4+k3s1",
      asked: { server: "INSTALL_K3S_EXEC=server", agent: "INSTALL_K3S_EXEC=agent" },
    },
    {
      bootstrap: "rke2",
      release: "v1.35.4+rke2r1",
      asked: { server: "INSTALL_RKE2_TYPE=server", agent: "INSTALL_RKE2_TYPE=agent" },
    },
  ])(
    "of $bootstrap come as far as its installer",
    async ({ asked, bootstrap, release }) => {
      const manifest = await generate("-i", "linode", "-b", bootstrap, "--kubernetes-version", release);
      const question = ({ userData }: GuestMachineV1): string =>
        filesScript(Buffer.from(userData, "base64").toString());
      const simulated = await runFlavor({ cloud: "linode", manifest, question, withinMs: 2 * minute });
      const guests = realGuests({ host, namespaces, image: "bare" });
      try {
        for (const { machine } of simulated) await guests.boot(machine);
        for (const [index, { facts, machine }] of simulated.entries()) {
          const run = async (script: string): Promise<string> => (await guests.run?.(machine.id, script))?.stdout ?? "";
          await expect
            .poll(() => run(`cat ${askedPath}`), { timeout: 5 * minute })
            .toBe(
              `${asked[index === 0 ? "server" : "agent"]}\nINSTALL_${bootstrap.toUpperCase()}_VERSION=${release}\n`,
            );
          expect(readFacts(await run(question(machine)))).toEqual(facts);
        }
      } catch (error) {
        say(await logs());
        throw error;
      } finally {
        await host.stop();
      }
    },
    15 * minute,
  );
});
