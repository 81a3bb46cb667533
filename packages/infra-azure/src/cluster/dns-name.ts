import { fnv1a } from "@capstan/kube-values";

/** The DNS name of a public IP address. Its suffix is made of what no one else has, since names are shared by all of Azure. */
export const dnsNameOf = (facts: {
  readonly cluster: string;
  readonly subscription: string;
  readonly group: string;
  readonly address: string;
  readonly location: string;
  /** For example `cloudapp.azure.com`; empty where it is not known: Azure says the whole name then. */
  readonly suffix: string;
}): string => {
  const { address, cluster, group, location, subscription, suffix } = facts;
  const hash = fnv1a(`${subscription}/${group}/${address}`);
  const label = `${cluster}-${hash.toString(16)}`;
  return (suffix === "" ? label : `${label}.${location}.${suffix}`).toLowerCase();
};

/** The part of a DNS name that Azure is given. */
export const dnsLabelOf = (dnsName: string): string => dnsName.split(".")[0] ?? "";
