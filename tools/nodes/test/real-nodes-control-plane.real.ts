import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@capstan/runtime";
import { cacheFolder, targets } from "@capstan/tool-kube-assets/assets";
import { createKubectl, type Kubectl } from "@capstan/tool-kube-assets/interop";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareAssets, releases, unavailable } from "../src/assets/prepare.ts";
import { createHostNetwork } from "../src/host/host-network.ts";
import { MachineHost } from "../src/host/machine-host.ts";
import { createNamespaces, type Namespaces } from "../src/host/namespaces.ts";
import { type Management, startManagement } from "../src/management.ts";
import {
  clusterManifests,
  controlPlaneLabels,
  controlPlaneOf,
  healthCheck,
  machineTemplate,
} from "../src/manifests.ts";
import { createHostProvider } from "../src/provider/provider.ts";

const say = (line: string): void => console.error(`nodes: ${line}`);
const name = "orchid";
const [older, newer] = releases;
const minute = 60_000;
const why = unavailable();
if (why !== undefined) say(`a control plane of three is not tried on real machines: ${why}`);

interface Looked {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly phase?: string;
    readonly nodeInfo?: { readonly kubeletVersion: string };
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

const conditionOf = ({ status }: Looked, type: string): string | undefined =>
  status?.conditions?.find((each) => each.type === type)?.status;

/** A control plane of three, as far as one looks at it. */
interface ControlPlane {
  readonly machines: readonly string[];
  /** Phase, release and health of the member of etcd of each. */
  readonly members: readonly string[];
  /** Readiness of each Node. */
  readonly nodes: readonly (string | undefined)[];
  readonly etcd: string | undefined;
}

const three = <T>(value: T): readonly T[] => [value, value, value];
const healthy = (version: string) => ({
  members: three(`Running ${version} True`),
  nodes: three("True"),
  etcd: "True",
});

describe.skipIf(why !== undefined)("a control plane of three real nodes", () => {
  let host: MachineHost;
  let namespaces: Namespaces;
  let management: Management;
  let admin: Kubectl;
  const folder = mkdtempSync(join(tmpdir(), "capstan-control-plane-"));
  const cleanups: (() => Promise<unknown> | void)[] = [() => rmSync(folder, { recursive: true })];

  beforeAll(async () => {
    const assets = await prepareAssets(say);
    const network = await createHostNetwork();
    cleanups.push(() => network.remove());
    namespaces = createNamespaces(network, assets);
    host = new MachineHost({ launcher: namespaces, network: network.prefix, images: Object.keys(assets.images) });
    cleanups.push(() => host.stop());
    management = await startManagement(createHostProvider(host), createLogger({ level: "warn", format: "text" }));
    cleanups.push(() => management.stop());
    admin = createKubectl(cacheFolder(targets.nodes), management.kubeconfig, folder);
  }, 30 * minute);

  afterAll(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }, 5 * minute);

  const list = async (kubectl: Kubectl, kind: string): Promise<readonly Looked[]> =>
    (JSON.parse(await kubectl.run(["get", kind, "-o", "json"])) as { readonly items: readonly Looked[] }).items;

  const look = async (): Promise<ControlPlane> => {
    const machines = await list(admin, "machines.cluster.x-k8s.io");
    const kubeconfig = await admin.run(["get", "secret", `${name}-kubeconfig`, "-o", "jsonpath={.data.value}"]);
    const workload = createKubectl(
      cacheFolder(targets.nodes),
      Buffer.from(kubeconfig, "base64").toString(),
      mkdtempSync(join(folder, "workload-")),
    );
    const [controlPlane] = await list(admin, "kubeadmcontrolplanes.controlplane.cluster.x-k8s.io");
    return {
      machines: machines.map(({ metadata }) => metadata.name),
      members: machines.map(
        (each) =>
          `${each.status?.phase} ${each.status?.nodeInfo?.kubeletVersion} ${conditionOf(each, "EtcdMemberHealthy")}`,
      ),
      nodes: (await list(workload, "nodes")).map((node) => conditionOf(node, "Ready")),
      etcd: controlPlane && conditionOf(controlPlane, "EtcdClusterHealthy"),
    };
  };

  /** Waits until all three are healthy, of this release, and none of them is of `gone`. */
  const untilHealthy = async (what: string, version: string, gone: readonly string[] = []): Promise<void> => {
    const start = performance.now();
    await expect
      .poll(
        async () => {
          const { machines, ...seen } = await look();
          return { ...seen, left: machines.filter((machine) => gone.includes(machine)) };
        },
        { timeout: 12 * minute, interval: 2000 },
      )
      .toEqual({ ...healthy(version), left: [] });
    say(`${what}: ${Math.round((performance.now() - start) / 1000)} s`);
  };

  it(
    "comes up, member by member",
    async () => {
      await admin.apply(clusterManifests(name, older, { controlPlanes: 3 }));
      await untilHealthy("control plane of three", older);
    },
    13 * minute,
  );

  it(
    "has a member that was killed replaced by a MachineHealthCheck, and etcd healthy again",
    async () => {
      const { machines } = await look();
      const killed = [...host.machines.values()].find((machine) => machine.name === machines[1]);
      await admin.apply([healthCheck(name, 20, controlPlaneLabels(name))]);
      namespaces.kill(killed?.id ?? "");
      await untilHealthy("replacement of a killed member", older, [machines[1] ?? ""]);
      expect([...host.machines.values()].map(({ id }) => id)).not.toContain(killed?.id);
    },
    13 * minute,
  );

  it(
    "is upgraded by a minor version, one member at a time, and etcd is healthy",
    async () => {
      const { machines } = await look();
      await admin.apply([machineTemplate(name, newer)]);
      const spec = JSON.stringify({ spec: controlPlaneOf(name, newer) });
      await admin.run(["patch", "kubeadmcontrolplane", name, "--type", "merge", "-p", spec]);
      await untilHealthy("upgrade of three members", newer, machines);
    },
    13 * minute,
  );
});
