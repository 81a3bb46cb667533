import type { TypeTable } from "../type-table.ts";

/** Types of coordination.k8s.io/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const coordinationTypes: TypeTable = {
  Lease: "metadata 1 ObjectMeta; spec 2 LeaseSpec",
  LeaseSpec:
    "holderIdentity 1 string?; leaseDurationSeconds 2 int32?; acquireTime 3 MicroTime; renewTime 4 MicroTime; leaseTransitions 5 int32?; strategy 6 string?; preferredHolder 7 string?",
};
