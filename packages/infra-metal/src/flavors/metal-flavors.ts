import type { FlavorV1 } from "@capstan/contract/v1";
import { kubeadmTemplate } from "./kubeadm-template.ts";

/** Clusters on bare metal for `capstan generate cluster`. */
export const metalFlavors: readonly FlavorV1[] = [
  {
    name: "default",
    description: "a KubeadmControlPlane behind a virtual address, and a MachineDeployment, on Hardware of Tinkerbell",
    bootstrap: "kubeadm",
    template: kubeadmTemplate,
  },
];
