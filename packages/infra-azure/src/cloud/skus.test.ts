import { expect, it } from "vitest";
import { faultDomainsOf, readSkus, skuOf, zonesOf } from "./skus.ts";

const type = "virtualMachines";

const sku = (name: string, more: object = {}) => ({
  resourceType: "virtualMachines",
  name,
  locations: ["WestEurope"],
  locationInfo: [{ location: "westeurope", zones: ["3", "1", "2"] }],
  capabilities: [{ name: "vCPUs", value: "2" }],
  restrictions: [],
  ...more,
});

it("leaves out zones that the subscription may not use, and sizes that it may not use at all", () => {
  const zone = { type: "Zone", restrictionInfo: { zones: ["3"] } };
  const skus = readSkus(
    [sku("a", { restrictions: [zone] }), sku("b", { restrictions: [{ type: "Location" }] })],
    "westeurope",
  );
  expect(skus).toEqual([
    { type, name: "a", zones: ["1", "2"], ultraZones: [], isRestricted: false, capabilities: { vCPUs: "2" } },
    { type, name: "b", zones: [], ultraZones: [], isRestricted: true, capabilities: { vCPUs: "2" } },
  ]);
  expect(zonesOf(skus)).toEqual(["1", "2"]);
});

it("knows nothing of other locations and of what are no machines", () => {
  expect(readSkus([sku("a", { resourceType: "disks" }), sku("b", { locations: ["eastus"] })], "westeurope")).toEqual(
    [],
  );
});

it("takes no availability set for a size, and knows over how many fault domains such sets are spread", () => {
  const capabilities = [{ name: "MaximumPlatformFaultDomainCount", value: "3" }];
  const skus = readSkus([sku("Aligned", { resourceType: "availabilitySets", capabilities })], "westeurope");
  expect([skuOf(skus, "Aligned"), zonesOf(skus), faultDomainsOf(skus)]).toEqual([undefined, [], 3]);
  expect(faultDomainsOf([])).toBe(2);
});

it("knows in which zones ultra disks may be attached", () => {
  const zoneDetails = [
    { Name: ["1", "2"], capabilities: [{ name: "UltraSSDAvailable", value: "True" }] },
    { Name: ["3"], capabilities: [] },
  ];
  const locationInfo = [{ location: "westeurope", zones: ["1", "2", "3"], zoneDetails }];
  expect(readSkus([sku("a", { locationInfo })], "westeurope")[0]?.ultraZones).toEqual(["1", "2"]);
});
