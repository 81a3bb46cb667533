import type { FlavorValueV1 } from "@capstan/contract/v1";

/** Describes the Kubernetes version that a distribution needs. */
export const distributionVersion: Readonly<Record<"k3s" | "rke2", FlavorValueV1>> = {
  k3s: { pattern: /\+k3s\d+$/, rule: "must have the suffix of k3s, for example v1.35.4+k3s1" },
  rke2: { pattern: /\+rke2r\d+$/, rule: "must have the suffix of RKE2, for example v1.35.4+rke2r1" },
};
