import { providerID } from "@capstan/kit/machines";
import { enumOf, list, objectReference } from "@capstan/schema";
import { failureDomain } from "./failure-domains.ts";

/** The scale subresource; the machines of a pool are not found by labels. */
export const poolScale = { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas" } as const;

/** v1beta2 says that its lists are replaced as a whole. */
type ListType = { readonly type?: "atomic" };

export const providerIDList = (options: ListType) =>
  list(providerID(), {
    description: "Ids of the machines at their infrastructure, equal to those of their Nodes.",
    maxItems: 10_000,
    ...options,
  });

export const poolFailureDomains = (options: ListType) =>
  list(failureDomain("Name of a failure domain."), {
    description: "Failure domains over which the machines are spread.",
    maxItems: 100,
    ...options,
  });

export const poolNodeRefs = (options: ListType) =>
  list(objectReference({ description: "One Node." }), {
    description: "The Nodes that the machines became.",
    maxItems: 10_000,
    ...options,
  });

export const poolPhase = () =>
  enumOf(
    [
      "Pending",
      "Provisioning",
      "Provisioned",
      "Running",
      "ScalingUp",
      "ScalingDown",
      "Scaling",
      "Deleting",
      "Failed",
      "Unknown",
    ],
    { description: "Summary for people; programs read the conditions." },
  );
