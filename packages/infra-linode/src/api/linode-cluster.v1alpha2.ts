import { boolean, conditions, kind, object, optional } from "@capstan/schema";
import { linodeClusterSpec } from "./linode-cluster-spec.ts";
import { clusterNameColumn, linodeKind, nameLength } from "./names.ts";
import { clusterReferences } from "./references.ts";
import { failure, initialization } from "./status-parts.ts";

export const LinodeCluster = kind({
  ...linodeKind,
  kind: "LinodeCluster",
  plural: "linodeclusters",
  references: clusterReferences,
  shortNames: ["lc"],
  description: "The infrastructure of a Cluster at Linode: its endpoint, network and object store.",
  columns: [
    clusterNameColumn,
    { name: "Ready", path: ".status.ready" },
    { name: "Endpoint", path: ".spec.controlPlaneEndpoint.host", priority: 1 },
  ],
  rules: [nameLength(3, 32)],
  spec: linodeClusterSpec(),
  status: object({
    ready: optional(boolean({ description: "The endpoint exists." })),
    initialization: optional(initialization()),
    ...failure,
    conditions: optional(conditions()),
  }),
});

/** One LinodeCluster. */
export type LinodeCluster = typeof LinodeCluster.Type;
