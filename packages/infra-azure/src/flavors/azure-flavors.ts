import type { FlavorV1 } from "@capstan/contract/v1";
import { distributionVersion } from "@capstan/kit/flavors";
import { kubeadmTemplate, type AzureFlavorOptions } from "./kubeadm-template.ts";
import { distributions, rke2K3sTemplate } from "./rke2-k3s-template.ts";

const kubeadm = (name: string, description: string, options: AzureFlavorOptions = {}): FlavorV1 => ({
  name,
  description,
  bootstrap: "kubeadm",
  template: kubeadmTemplate(options),
});

/** Clusters on Azure for `capstan generate cluster`. */
export const azureFlavors: readonly FlavorV1[] = [
  kubeadm("default", "one control-plane machine behind a public load balancer, and a MachineDeployment"),
  kubeadm("ha", "three control-plane machines across the zones of the location, and a MachineDeployment", {
    replicas: 3,
  }),
  kubeadm("machines", "like default, with a standalone control-plane Machine, which is never upgraded", {
    machines: "alone",
  }),
  kubeadm("internal", "like ha, with an API server only reachable inside the network", {
    replicas: 3,
    isInternal: true,
  }),
  kubeadm("machinepool", "like ha, with a MachinePool of workers: one scale set", { replicas: 3, isPool: true }),
  kubeadm("spot", "like default, with spot instances as workers", { isSpot: true }),
  ...(["k3s", "rke2"] as const).map((bootstrap) => ({
    name: "default",
    description: "one server behind a public load balancer, and a MachineDeployment of agents",
    bootstrap,
    template: rke2K3sTemplate(distributions[bootstrap]),
    values: { KUBERNETES_VERSION: distributionVersion[bootstrap] },
  })),
];
