import { controlPlaneEndpoint, infraClusterStatus } from "@capstan/contract/v1";
import { int32, kind, object, optional, secretReference } from "@capstan/schema";
import { shared } from "./names.ts";

/** The infrastructure of one Cluster at Acme: the load balancer before its control plane. */
export const AcmeCluster = kind({
  ...shared,
  kind: "AcmeCluster",
  plural: "acmeclusters",
  description: "The infrastructure of one Cluster at Acme.",
  columns: [
    { name: "Ready", path: ".status.ready", type: "boolean" },
    { name: "Endpoint", path: ".spec.controlPlaneEndpoint.host" },
  ],
  spec: optional(
    object(
      {
        controlPlaneEndpoint: optional(controlPlaneEndpoint()),
        credentialsRef: optional(secretReference({ description: "Secret with the key `token`." })),
        objectStoreRef: optional(
          secretReference({ description: "Secret of the object store for large bootstrap data." }),
        ),
      },
      { description: "What the infrastructure is to be." },
    ),
  ),
  status: infraClusterStatus({
    members: optional(int32({ description: "Servers behind the load balancer.", minimum: 0 })),
  }),
});
export type AcmeCluster = typeof AcmeCluster.Type;
