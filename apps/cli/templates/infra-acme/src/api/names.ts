import { Group } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

const version = "v1alpha1";

/** What all kinds have in common: the label says by which contract core reads them. */
export const shared = {
  group: Group.infrastructure,
  version,
  categories: ["cluster-api"],
  labels: { [contractLabel("v1beta2")]: version },
} as const;
