import { Group } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

const version = "v1alpha1";

/** Fields shared by all kinds: the label names the contract by which core reads them. */
export const shared = {
  group: Group.infrastructure,
  version,
  categories: ["cluster-api"],
  labels: { [contractLabel("v1beta2")]: version },
} as const;
