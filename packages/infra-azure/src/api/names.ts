import { Group, Label } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

/** What all kinds of the provider have in common. */
export const azureKind = {
  group: Group.infrastructure,
  version: "v1beta1",
  categories: ["cluster-api"],
  labels: {
    [Label.provider]: "infrastructure-azure",
    [contractLabel("v1beta1")]: "v1beta1",
    [contractLabel("v1beta2")]: "v1beta1",
  },
} as const;
