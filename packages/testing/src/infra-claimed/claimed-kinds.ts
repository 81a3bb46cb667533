import { Group } from "@capstan/contract";
import { controlPlaneEndpoint, infraClusterStatus, infraMachineStatus } from "@capstan/contract/v1";
import { contractLabel } from "@capstan/contract/wire";
import { boolean, conditions, enumOf, int32, int64, kind, object, optional, string } from "@capstan/schema";

const version = "v1beta1";
const common = { group: Group.infrastructure, version } as const;
const ofContract = { ...common, labels: { [contractLabel("v1beta2")]: version } } as const;

/** A machine that stands in a rack, whoever uses it. */
export const PoolHost = kind({
  ...common,
  kind: "PoolHost",
  plural: "poolhosts",
  description: "A host of a pool, which machines claim.",
  columns: [{ name: "State", path: ".status.state" }],
  spec: object({
    address: string({ description: "Address of its network card.", minLength: 1, maxLength: 256 }),
    failureDomain: optional(string({ description: "The rack.", maxLength: 64 })),
    poweredOn: optional(boolean({ description: "Whether it shall run." })),
    userDataSecret: optional(
      object(
        {
          name: string({ description: "Name of the Secret, in the host's namespace.", maxLength: 253 }),
          key: string({ description: "Key of the Secret.", maxLength: 253 }),
        },
        { description: "What it boots with." },
      ),
    ),
  }),
  status: object({
    state: optional(
      enumOf(["off", "booting", "running", "stopping"], {
        description: "What the hardware does, as its agent sees it.",
      }),
    ),
    observedGeneration: optional(int64({ description: "The generation that the agent has seen." })),
    conditions: optional(conditions({ maxItems: 8 })),
  }),
});
export type PoolHost = typeof PoolHost.Type;

/** An address that a cluster can have for its endpoint. */
export const PoolAddress = kind({
  ...common,
  kind: "PoolAddress",
  plural: "pooladdresses",
  description: "An address of a pool, which clusters claim for their endpoints.",
  spec: object({
    host: string({ description: "The address.", minLength: 1, maxLength: 256 }),
    port: int32({ description: "The port.", minimum: 1, maximum: 65_535 }),
  }),
});
export type PoolAddress = typeof PoolAddress.Type;

/** The infrastructure of a cluster: an address of the pool. */
export const ClaimedCluster = kind({
  ...ofContract,
  kind: "ClaimedCluster",
  plural: "claimedclusters",
  description: "The infrastructure of one Cluster in a pool: an address that it claims.",
  spec: object({ controlPlaneEndpoint: optional(controlPlaneEndpoint()) }),
  status: infraClusterStatus({}),
});
export type ClaimedCluster = typeof ClaimedCluster.Type;

/** A host of the pool as a machine. */
export const ClaimedMachine = kind({
  ...ofContract,
  kind: "ClaimedMachine",
  plural: "claimedmachines",
  description: "A host of a pool, which backs one Machine.",
  columns: [
    { name: "Host", path: ".status.host" },
    { name: "ProviderID", path: ".spec.providerID" },
  ],
  spec: object({
    providerID: optional(string({ description: "pool://<namespace>/<host>; set by the controller.", maxLength: 512 })),
  }),
  status: infraMachineStatus({ host: optional(string({ description: "The host that it claims.", maxLength: 253 })) }),
});
export type ClaimedMachine = typeof ClaimedMachine.Type;
