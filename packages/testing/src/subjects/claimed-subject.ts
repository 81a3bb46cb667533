import { annotationMark, claimedByAnnotation } from "@capstan/kit/engine";
import { apiVersionOf } from "@capstan/schema";
import type { KubeObject, Resource } from "@capstan/schema";
import type { ClaimedObjects } from "../conformance/claimed-objects.ts";
import type { SuiteEnvironment } from "../conformance/environment.ts";
import type { InfraClusterSubject } from "../conformance/infra-cluster.ts";
import type { InfraMachineSubject } from "../conformance/infra-machine-subject.ts";
import { ClaimedCluster, ClaimedMachine, PoolAddress, PoolHost } from "../infra-claimed/claimed-kinds.ts";
import { createClaimedProvider } from "../infra-claimed/claimed-provider.ts";
import { poolAgent } from "../infra-claimed/pool-agent.ts";
import { PoolHardware } from "../infra-claimed/pool-hardware.ts";

const claimantOf = (object: KubeObject): string | undefined => annotationMark().of(object)?.uid;

const offered = (kind: Resource, spec: object): ClaimedObjects => ({
  kind,
  body: (key) => ({ apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: key, spec }),
  taken: { metadata: { annotations: { [claimedByAnnotation]: "Guest/elsewhere/somebody/uid" } } },
});

const kinds = [ClaimedCluster, ClaimedMachine, PoolAddress, PoolHost];

/** The pool's machines as a subject of the suites: its agent runs beside the provider. */
export const claimedMachineSubject: InfraMachineSubject = {
  kinds,
  machineKind: ClaimedMachine,
  clusterKind: ClaimedCluster,
  machineSpec: {},
  clusterSpec: {},
  claims: offered(PoolHost, { address: "10.2.0.1" }),
  start: async ({ client, clock, runManager }: SuiteEnvironment) => {
    const hardware = new PoolHardware({ clock });
    const agent = await runManager({
      providers: [
        { contract: "v1", name: "pool", kinds: [PoolHost], register: (host) => host.add(poolAgent(hardware)) },
      ],
    });
    const hosts = async (): Promise<readonly PoolHost[]> => (await client.list(PoolHost, {})).items;
    const isOff = ({ metadata, spec }: PoolHost): boolean =>
      spec.poweredOn !== true && hardware.stateOf(metadata.uid ?? "") === "off";
    return {
      provider: createClaimedProvider,
      serversOf: async (uid) => (await hosts()).filter((host) => claimantOf(host) === uid).length,
      // A host that no one has claimed is off.
      partsOf: async (uid) =>
        (await hosts()).filter((host) => {
          const claimant = claimantOf(host);
          return claimant === undefined ? !isOff(host) : claimant === uid;
        }).length,
      destroy: async (uid) => {
        for (const { metadata } of (await hosts()).filter((host) => claimantOf(host) === uid)) {
          await client.delete(PoolHost, { namespace: metadata.namespace ?? "", name: metadata.name ?? "" });
        }
      },
      stop: () => agent.stop(),
    };
  },
};

/** Its clusters. */
export const claimedClusterSubject: InfraClusterSubject = {
  kinds,
  clusterKind: ClaimedCluster,
  machineKind: ClaimedMachine,
  clusterSpec: {},
  machineSpec: {},
  claims: offered(PoolAddress, { host: "203.0.113.10", port: 6443 }),
  start: async ({ client }) => ({
    provider: createClaimedProvider,
    resourcesOf: async (uid) =>
      (await client.list(PoolAddress, {})).items.filter((address) => claimantOf(address) === uid).length,
  }),
};
