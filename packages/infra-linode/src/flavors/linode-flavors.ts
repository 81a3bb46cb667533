import type { FlavorV1 } from "@capstan/contract/v1";
import { kubeadmTemplate } from "./kubeadm-template.ts";
import { rke2K3sFlavors } from "./rke2-k3s-flavors.ts";

/** Clusters on Linode for `capstan generate cluster`. */
export const linodeFlavors: readonly FlavorV1[] = [
  {
    name: "default",
    description: "one control-plane Machine behind a NodeBalancer, and a MachineDeployment",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlaneMachines: 1, hasObjectStore: false }),
  },
  {
    name: "ha",
    description: "three control-plane Machines behind a NodeBalancer, and a MachineDeployment",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlaneMachines: 3, hasObjectStore: false }),
  },
  {
    name: "object-store",
    description: "as default, with an object store for bootstrap data of any size",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlaneMachines: 1, hasObjectStore: true }),
  },
  ...rke2K3sFlavors,
];
