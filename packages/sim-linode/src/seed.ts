import type { Image, InstanceType, Kernel, MaintenancePolicyChoice, PricedType, Region } from "@capstan/linode-client";

const capabilities = [
  "Linodes",
  "NodeBalancers",
  "Block Storage",
  "Object Storage",
  "Cloud Firewall",
  "Vlans",
  "VPCs",
  "Metadata",
  "Placement Group",
  "Linode Interfaces",
];

const region = (id: string, label: string, country: string, without: readonly string[] = []): Region => ({
  id,
  label,
  country,
  status: "ok",
  capabilities: capabilities.filter((capability) => !without.includes(capability)),
  resolvers: { ipv4: "192.0.2.53", ipv6: "2001:db8::53" },
  site_type: "core",
  placement_group_limits: {
    maximum_pgs_per_customer: 100,
    maximum_linodes_per_pg: 5,
    maximum_linodes_per_flexible_pg: 5,
  },
  monitors: { alerts: ["Linodes", "NodeBalancers"], metrics: ["Linodes", "NodeBalancers"] },
});

/** `us-west` stands for the old data centres: no metadata service, no VPCs. */
export const regions: readonly Region[] = [
  region("us-ord", "Chicago, IL", "us"),
  region("us-sea", "Seattle, WA", "us"),
  region("us-mia", "Miami, FL", "us"),
  region("us-iad", "Washington, DC", "us"),
  region("us-east", "Newark, NJ", "us"),
  region("us-lax", "Los Angeles, CA", "us"),
  region("nl-ams", "Amsterdam, NL", "nl"),
  region("se-sto", "Stockholm, SE", "se"),
  region("de-fra-2", "Frankfurt 2, DE", "de"),
  region("jp-osa", "Osaka, JP", "jp"),
  region("br-gru", "Sao Paulo, BR", "br"),
  region("id-cgk", "Jakarta, ID", "id"),
  region("us-west", "Fremont, CA", "us", ["Metadata", "VPCs", "Placement Group", "Linode Interfaces"]),
];

/** Where everything costs more, and by how much. */
const dearer: Readonly<Record<string, number>> = { "br-gru": 1.4, "id-cgk": 1.2 };

const times = (price: number | null, factor: number): number | null =>
  price === null ? null : Number((price * factor).toPrecision(6));

/** The prices of a thing in regions that have prices of their own. */
export const regionPrices = (hourly: number | null, monthly: number | null): PricedType["region_prices"] =>
  Object.entries(dearer).map(([id, factor]) => ({
    id,
    hourly: times(hourly, factor),
    monthly: times(monthly, factor),
  }));

const plan = (
  id: string,
  type: InstanceType["class"],
  memoryGb: number,
  diskGb: number,
  vcpus: number,
  [monthly, hourly]: readonly [number, number],
): InstanceType => ({
  id,
  label: id,
  class: type,
  disk: diskGb * 1024,
  memory: memoryGb * 1024,
  vcpus,
  gpus: type === "gpu" ? 1 : 0,
  transfer: 4000,
  network_out: 4000,
  price: { hourly, monthly },
  region_prices: regionPrices(hourly, monthly),
  addons: {
    backups: {
      price: { hourly: hourly / 5, monthly: monthly / 5 },
      region_prices: regionPrices(hourly / 5, monthly / 5),
    },
  },
  successor: null,
});

export const types: readonly InstanceType[] = [
  plan("g6-nanode-1", "nanode", 1, 25, 1, [5, 0.0075]),
  plan("g6-standard-1", "standard", 2, 50, 1, [12, 0.018]),
  plan("g6-standard-2", "standard", 4, 80, 2, [24, 0.036]),
  plan("g6-standard-4", "standard", 8, 160, 4, [48, 0.072]),
  plan("g6-standard-6", "standard", 16, 320, 6, [96, 0.144]),
  plan("g6-standard-8", "standard", 32, 640, 8, [192, 0.288]),
  plan("g6-dedicated-2", "dedicated", 4, 80, 2, [36, 0.054]),
  plan("g6-dedicated-4", "dedicated", 8, 160, 4, [72, 0.108]),
  plan("g7-premium-2", "premium", 4, 80, 2, [43, 0.0645]),
  plan("g1-gpu-rtx6000-1", "gpu", 32, 640, 8, [1000, 1.5]),
  { ...plan("g5-standard-1", "standard", 2, 24, 1, [10, 0.015]), successor: "g6-standard-1" },
];

const image = (id: string, label: string, cloudInit = true): Image => ({
  id,
  label,
  description: null,
  type: "manual",
  status: "available",
  is_public: id.startsWith("linode/"),
  deprecated: false,
  size: 3000,
  total_size: 3000,
  tags: [],
  created_by: "linode",
  expiry: null,
  vendor: label.split(" ", 1)[0]!,
  capabilities: cloudInit ? ["cloud-init", "distributed-sites"] : [],
  regions: [],
  created: "2024-01-01T00:00:00",
  updated: "2024-01-01T00:00:00",
  eol: null,
});

/** `linode/slackware15.0` stands for the images that do not read metadata. */
export const images: readonly Image[] = [
  image("linode/ubuntu22.04", "Ubuntu 22.04 LTS"),
  image("linode/ubuntu24.04", "Ubuntu 24.04 LTS"),
  image("linode/debian12", "Debian 12"),
  image("linode/debian13", "Debian 13"),
  image("linode/slackware15.0", "Slackware 15.0", false),
  image("private/1", "Flatcar custom"),
];

export const maintenancePolicies: readonly MaintenancePolicyChoice[] = [
  {
    slug: "linode/migrate",
    label: "Migrate",
    description: "Moves to another host, which takes a moment.",
    type: "migrate",
    notification_period_sec: 300,
    is_default: true,
  },
  {
    slug: "linode/power_off_on",
    label: "Power Off / Power On",
    description: "Is off while its host is serviced.",
    type: "power_off_on",
    notification_period_sec: 1800,
    is_default: false,
  },
];

export const kernels: readonly Kernel[] = ["linode/grub2", "linode/latest-64bit", "linode/direct-disk"].map((id) => ({
  id,
  label: id,
  version: "6.1.0",
  architecture: "x86_64",
  kvm: true,
  pvops: true,
  deprecated: false,
  built: "2024-01-01T00:00:00",
}));

/** A region if it has a capability. */
export const regionWith = (id: string, capability: string): Region | undefined =>
  regions.find((candidate) => candidate.id === id && candidate.capabilities.includes(capability));
