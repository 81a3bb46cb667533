import { Label } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

/** Names that both kinds share. */
export const names = {
  group: "bootstrap.capstan.dev",
  version: "v1alpha1",
  categories: ["cluster-api"],
  labels: {
    [Label.provider]: "bootstrap-composite",
    [contractLabel("v1beta1")]: "v1alpha1",
    [contractLabel("v1beta2")]: "v1alpha1",
  },
} as const;
