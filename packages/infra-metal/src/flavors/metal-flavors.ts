import type { FlavorV1 } from "@capstan/contract/v1";
import { kubeadmTemplate } from "./kubeadm-template.ts";
import { rackTemplate } from "./rack-template.ts";

/** Clusters on bare metal for `capstan generate cluster`. */
export const metalFlavors: readonly FlavorV1[] = [
  {
    name: "default",
    description:
      "a KubeadmControlPlane behind a virtual address, and a MachineDeployment, with their Hardware: that of a simulated rack, for capstan up --simulate metal, or your own",
    bootstrap: "kubeadm",
    template: rackTemplate,
  },
  {
    name: "existing-hardware",
    description: "the same without Hardware, on what is there",
    bootstrap: "kubeadm",
    template: kubeadmTemplate,
  },
];
