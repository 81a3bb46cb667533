import type { FlavorV1 } from "@capstan/contract/v1";
import { kubeadmTemplate } from "./kubeadm-template.ts";
import { rke2K3sFlavors } from "./rke2-k3s-flavors.ts";

const flavors: readonly FlavorV1[] = [
  {
    name: "default",
    description: "one control-plane Machine behind a NodeBalancer, and a MachineDeployment",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlaneMachines: 1 }),
  },
  {
    name: "ha",
    description: "three control-plane Machines behind a NodeBalancer, and a MachineDeployment",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlaneMachines: 3 }),
  },
  {
    name: "object-store",
    description: "as default, with an object store for bootstrap data of any size",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlaneMachines: 1, objectStore: "store" }),
  },
  {
    name: "vpc",
    description: "as default, in a VPC with firewalls before the machines and the NodeBalancer",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlaneMachines: 1, hasNetwork: true }),
  },
  {
    name: "vpcless",
    description: "as default: upstream's name for clusters without a VPC",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlaneMachines: 1 }),
  },
  {
    name: "dns",
    description: "as vpc, with a name in a zone at Linode as the endpoint instead of a NodeBalancer",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlaneMachines: 1, hasNetwork: true, dnsEndpoint: "linode" }),
  },
  {
    name: "dns-akamai",
    description: "as dns, with the zone at Akamai Edge DNS",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlaneMachines: 1, hasNetwork: true, dnsEndpoint: "akamai" }),
  },
  {
    name: "large-bootstrap",
    description: "as default, with a bucket of its own for bootstrap data of any size",
    bootstrap: "kubeadm",
    template: kubeadmTemplate({ controlPlaneMachines: 1, objectStore: "bucket" }),
  },
  ...rke2K3sFlavors,
];

/** The name becomes labels at Linode, whose length is limited. */
const CLUSTER_NAME = { pattern: /^.{3,32}$/, rule: "must have 3 to 32 characters" };

/** Clusters on Linode for `capstan generate cluster`. */
export const linodeFlavors: readonly FlavorV1[] = flavors.map((flavor) => ({
  ...flavor,
  values: { CLUSTER_NAME, ...flavor.values },
}));
