import type { FlavorV1 } from "@capstan/contract/v1";
import { kubeadmTemplate, type LinodeFlavorOptions } from "./kubeadm-template.ts";
import { rke2K3sFlavors } from "./rke2-k3s-flavors.ts";

const kubeadm = (name: string, description: string, options: LinodeFlavorOptions = {}): FlavorV1 => ({
  name,
  description,
  bootstrap: "kubeadm",
  template: kubeadmTemplate(options),
});

const flavors: readonly FlavorV1[] = [
  kubeadm("default", "one control-plane machine behind a NodeBalancer, and a MachineDeployment"),
  kubeadm("ha", "three control-plane machines behind a NodeBalancer, and a MachineDeployment", { replicas: 3 }),
  kubeadm("cloud-controller", "like ha, with Linode's cloud controller for Services of type LoadBalancer", {
    replicas: 3,
    hasCloudController: true,
  }),
  kubeadm("machines", "like default, with a standalone control-plane Machine, which is never upgraded", {
    machines: "alone",
  }),
  kubeadm("object-store", "like default, with an object store for bootstrap data of any size", {
    objectStore: "store",
  }),
  kubeadm("vpc", "like default, in a VPC with firewalls for the machines and the NodeBalancer", { hasNetwork: true }),
  kubeadm("vpcless", "like default: upstream's name for clusters without a VPC"),
  kubeadm("dns", "like vpc, with a DNS name at Linode as the endpoint instead of a NodeBalancer", {
    hasNetwork: true,
    dnsEndpoint: "linode",
  }),
  kubeadm("dns-akamai", "like dns, with the zone at Akamai Edge DNS", { hasNetwork: true, dnsEndpoint: "akamai" }),
  kubeadm("large-bootstrap", "like default, with its own bucket for bootstrap data of any size", {
    objectStore: "bucket",
  }),
  ...rke2K3sFlavors,
];

/** The name becomes labels at Linode, whose length is limited. */
const CLUSTER_NAME = { pattern: /^.{3,32}$/, rule: "must have 3 to 32 characters" };

/** Clusters on Linode for `capstan generate cluster`. */
export const linodeFlavors: readonly FlavorV1[] = flavors.map((flavor) => ({
  ...flavor,
  values: { CLUSTER_NAME, ...flavor.values },
}));
