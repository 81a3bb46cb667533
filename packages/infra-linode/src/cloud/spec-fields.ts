import type { LinodeError } from "@capstan/linode-client";

/** Where in an object the fields of a request come from, by the API's names; what is below a field comes from the same. */
export type SpecFields = Readonly<Record<string, string>>;

const name = "metadata.name";

export const specFields = {
  instance: {
    label: name,
    region: "spec.region",
    type: "spec.type",
    image: "spec.image",
    root_pass: "spec.rootPass",
    authorized_keys: "spec.authorizedKeys",
    authorized_users: "spec.authorizedUsers",
    tags: "spec.tags",
    group: "spec.group",
    backup_id: "spec.backupID",
    backups_enabled: "spec.backupsEnabled",
    boot_size: "spec.osDisk.size or spec.dataDisks",
    disk_encryption: "spec.diskEncryption",
    placement_group: "spec.placementGroupRef",
    firewall_id: "spec.firewallID or spec.firewallRef",
    interfaces:
      "spec.interfaces, spec.linodeInterfaces, or the VPC and subnet that the machine or its LinodeCluster names",
    interface_generation: "spec.interfaceGeneration",
    network_helper: "spec.networkHelper",
    private_ip: "spec.privateIP",
    metadata: "the bootstrap data, or spec.image and spec.region",
    stackscript_data: "the bootstrap data",
  },
  tags: { tags: "spec.tags" },
  disk: {
    label: "spec.dataDisks, its label",
    size: "spec.dataDisks, its size",
    filesystem: "spec.dataDisks, its filesystem",
  },
  bootDisk: { label: "spec.osDisk.label" },
  config: { kernel: "spec.configuration.kernel", helpers: "spec.networkHelper", devices: "spec.dataDisks" },
  firewallsOfInstance: { firewall_ids: "spec.firewallID or spec.firewallRef" },
  balancer: {
    label: name,
    region: "spec.region",
    firewall_id: "spec.network.nodeBalancerFirewallID or spec.nodeBalancerFirewallRef",
    firewall_ids: "spec.network.nodeBalancerFirewallID or spec.nodeBalancerFirewallRef",
    vpcs: "spec.network.nodeBalancerBackendIPv4Range, spec.network.subnetName, or the VPC of the cluster",
  },
  balancerConfig: { port: "spec.network.apiserverLoadBalancerPort or spec.network.additionalPorts" },
  vpc: {
    label: name,
    region: "spec.region",
    description: "spec.description",
    ipv4: "spec.ipv4Range",
    ipv6: "spec.ipv6Range",
    subnets: "spec.subnets",
  },
  subnet: { label: "spec.subnets, its label", ipv4: "spec.subnets, its ipv4", ipv6: "spec.subnets, its ipv6Range" },
  firewall: {
    label: name,
    "rules.inbound": "spec.inboundRules or spec.inboundRuleRefs",
    "rules.outbound": "spec.outboundRules or spec.outboundRuleRefs",
    inbound: "spec.inboundRules or spec.inboundRuleRefs",
    outbound: "spec.outboundRules or spec.outboundRuleRefs",
    rules: "spec.inboundRules, spec.outboundRules or what they refer to",
  },
  placementGroup: {
    label: name,
    region: "spec.region",
    placement_group_type: "spec.placementGroupType",
    placement_group_policy: "spec.placementGroupPolicy",
  },
  bucket: { label: name, region: "spec.region", acl: "spec.acl", cors_enabled: "spec.corsEnabled" },
  storageKey: { label: name, bucket_access: "spec.bucketAccess" },
  domainRecord: { name: "the name of the endpoint in spec.network", ttl_sec: "spec.network.dnsTTLsec" },
} as const satisfies Readonly<Record<string, SpecFields>>;

/** Where the fields that the API refuses come from; `undefined` when it is not known of one of them. */
export const refusedFields = ({ errors }: LinodeError, fields: SpecFields): string | undefined => {
  const named = errors.flatMap(({ field }) => (field === undefined ? [] : [field]));
  const found = named.map((field) => {
    const parts = field.split(/[.[]/);
    const known = parts
      .map((_, index) => parts.slice(0, parts.length - index).join("."))
      .find((each) => each in fields);
    return known === undefined ? undefined : fields[known];
  });
  if (found.length === 0 || found.includes(undefined)) return undefined;
  return [...new Set(found)].join(", ");
};
