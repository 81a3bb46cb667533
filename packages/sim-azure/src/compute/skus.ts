import { reply, type Route, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { locations, type Location } from "../resources/locations.ts";
import { route, subscriptionPath } from "../route.ts";
import type { World } from "../world.ts";
import { closedZones, isRestricted, type VmSize, vmSizes } from "./vm-sizes.ts";

const pageSize = 400;

const capability = (name: string, value: string | number | boolean) => ({
  name,
  value: typeof value === "boolean" ? (value ? "True" : "False") : String(value),
});

const capabilitiesOf = (size: VmSize) => [
  capability("MaxResourceVolumeMB", size.temporaryDiskGb * 1024),
  capability("OSVhdSizeMB", 1_047_552),
  capability("vCPUs", size.vcpus),
  capability("MemoryPreservingMaintenanceSupported", size.gpus === 0),
  capability("HyperVGenerations", size.arm64 ? "V2" : "V1,V2"),
  capability("MemoryGB", size.memoryGb),
  capability("MaxDataDiskCount", Math.min(64, size.vcpus * 2)),
  capability("CpuArchitectureType", size.arm64 ? "Arm64" : "x64"),
  capability("LowPriorityCapable", true),
  capability("PremiumIO", size.premium),
  capability("VMDeploymentTypes", "IaaS"),
  capability("vCPUsAvailable", size.vcpus),
  ...(size.gpus > 0 ? [capability("GPUs", size.gpus)] : []),
  ...(size.confidential ? [capability("ConfidentialComputingType", "SNP")] : []),
  capability("vCPUsPerCore", size.arm64 ? 1 : 2),
  capability("CombinedTempDiskAndCachedIOPS", size.vcpus * 2000),
  capability("UncachedDiskIOPS", size.vcpus * 1600),
  capability("EphemeralOSDiskSupported", size.temporaryDiskGb >= 30),
  capability("SupportedEphemeralOSDiskPlacements", size.temporaryDiskGb >= 30 ? "ResourceDisk,CacheDisk" : ""),
  capability("EncryptionAtHostSupported", size.premium),
  capability("CapacityReservationSupported", true),
  capability("AcceleratedNetworkingEnabled", size.vcpus > 1),
  capability("RdmaEnabled", false),
  capability("MaxNetworkInterfaces", Math.min(8, Math.max(2, Math.floor(size.vcpus / 2)))),
];

const restrictionsOf = (size: VmSize, { name, zones }: Location) => {
  const closed = closedZones(size, zones);
  return [
    ...(isRestricted(size)
      ? [
          {
            type: "Location",
            values: [name],
            restrictionInfo: { locations: [name] },
            reasonCode: "NotAvailableForSubscription",
          },
        ]
      : []),
    ...(closed.length > 0
      ? [
          {
            type: "Zone",
            values: [name],
            restrictionInfo: { locations: [name], zones: closed },
            reasonCode: "NotAvailableForSubscription",
          },
        ]
      : []),
  ];
};

const vmSku = (size: VmSize, location: Location) => ({
  resourceType: "virtualMachines",
  name: size.name,
  tier: "Standard",
  size: size.name.replace("Standard_", ""),
  family: size.family,
  locations: [location.name],
  locationInfo: [
    {
      location: location.name,
      zones: location.zones,
      zoneDetails:
        size.premium && location.zones.length > 0
          ? [{ Name: location.zones, capabilities: [capability("UltraSSDAvailable", true)] }]
          : [],
    },
  ],
  capabilities: capabilitiesOf(size),
  restrictions: restrictionsOf(size, location),
});

const plainSku = (
  resourceType: string,
  name: string,
  { name: location, zones }: Location,
  capabilities: unknown[],
) => ({
  resourceType,
  name,
  locations: [location],
  locationInfo: [{ location, zones, zoneDetails: [] }],
  capabilities,
  restrictions: [],
});

/** Fault domains of an availability set in a region. */
export const faultDomains = ({ zones }: Location): number => (zones.length === 0 ? 2 : 3);

const skusOf = (location: Location): readonly unknown[] => [
  plainSku("availabilitySets", "Classic", location, [capability("MaximumPlatformFaultDomainCount", 3)]),
  plainSku("availabilitySets", "Aligned", location, [
    capability("MaximumPlatformFaultDomainCount", faultDomains(location)),
  ]),
  ...["Standard_LRS", "StandardSSD_LRS", "Premium_LRS", "UltraSSD_LRS", "PremiumV2_LRS"].map((name) =>
    plainSku("disks", name, location, [capability("MaxSizeGiB", 32_767)]),
  ),
  ...vmSizes.map((size) => vmSku(size, location)),
];

/** Routes that list the SKUs of one region or of all regions, page by page. */
export const skuRoutes: readonly Route<World>[] = [
  route({
    method: "GET",
    path: `${subscriptionPath}/providers/Microsoft.Compute/skus`,
    query: { $filter: text(), $skiptoken: text({ pattern: /^\d+$/ }), includeExtendedLocations: text() },
    handle: ({ query: { $filter: filter, $skiptoken: token = "0" }, params, serverUrl }, { isStack }) => {
      const wanted = filter === undefined ? undefined : /^location eq '([^']+)'$/.exec(filter)?.[1];
      if (filter !== undefined && wanted === undefined) {
        throw refusal(
          400,
          "InvalidFilter",
          `The filter '${filter}' is not supported; supported is: location eq '<location>'.`,
          "$filter",
        );
      }
      const places = locations.filter(
        ({ name }) => wanted === undefined || name === wanted.replaceAll(" ", "").toLowerCase(),
      );
      const all = places.flatMap(skusOf);
      const first = Number(token);
      const next = first + pageSize;
      const more = new URLSearchParams({
        "api-version": isStack ? "2019-04-01" : "2021-07-01",
        $skiptoken: String(next),
        ...(filter === undefined ? {} : { $filter: filter }),
      });
      return reply(200, {
        value: all.slice(first, next),
        ...(next < all.length
          ? {
              nextLink: `${serverUrl}/subscriptions/${params.subscription}/providers/Microsoft.Compute/skus?${more.toString()}`,
            }
          : {}),
      });
    },
  }),
];
