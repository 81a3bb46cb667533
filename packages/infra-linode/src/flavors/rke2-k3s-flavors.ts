import type { FlavorV1 } from "@capstan/contract/v1";
import { distributionVersion } from "@capstan/kit/flavors";
import { distributions, rke2K3sTemplate } from "./rke2-k3s-template.ts";

const flavorsOf = (bootstrap: keyof typeof distributions): readonly FlavorV1[] => {
  const template = (replicas: 1 | 3, hasObjectStore: boolean): string =>
    rke2K3sTemplate(distributions[bootstrap], { replicas, hasObjectStore });
  const values = { KUBERNETES_VERSION: distributionVersion[bootstrap] };
  return [
    {
      name: "default",
      description: "one server behind a NodeBalancer, and a MachineDeployment of agents",
      bootstrap,
      template: template(1, false),
      values,
    },
    {
      name: "ha",
      description: "three servers behind a NodeBalancer, and a MachineDeployment of agents",
      bootstrap,
      template: template(3, false),
      values,
    },
    {
      name: "object-store",
      description: "like default, with an object store for bootstrap data of any size",
      bootstrap,
      template: template(1, true),
      values,
    },
  ];
};

/** Clusters of k3s and of RKE2 on Linode. */
export const rke2K3sFlavors: readonly FlavorV1[] = [...flavorsOf("k3s"), ...flavorsOf("rke2")];
