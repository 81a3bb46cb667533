import type { FlavorV1 } from "@capstan/contract/v1";
import { distributionVersion } from "@capstan/kit/flavors";
import { kubeadmTemplate } from "./kubeadm-template.ts";
import { distributions, rke2K3sTemplate } from "./rke2-k3s-template.ts";

/** Clusters on Azure for `capstan generate cluster`. */
export const azureFlavors: readonly FlavorV1[] = [
  {
    name: "default",
    description: "one control-plane Machine behind a public load balancer, and a MachineDeployment",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlane: "standalone" }),
  },
  {
    name: "ha",
    description: "a KubeadmControlPlane over the zones of the location, and a MachineDeployment",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlane: "managed" }),
  },
  {
    name: "internal",
    description: "as ha, with an API server that is reached inside of the network alone",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlane: "managed", isInternal: true }),
  },
  {
    name: "machinepool",
    description: "as ha, with a MachinePool of workers: one scale set",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlane: "managed", isPool: true }),
  },
  {
    name: "spot",
    description: "as default, with workers that are spot instances",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlane: "standalone", isSpot: true }),
  },
  ...(["k3s", "rke2"] as const).map((bootstrap) => ({
    name: "default",
    description: "one server behind a public load balancer, and a MachineDeployment of agents",
    bootstrap,
    template: rke2K3sTemplate(distributions[bootstrap]),
    values: { KUBERNETES_VERSION: distributionVersion[bootstrap] },
  })),
];
