import { expect, it } from "vitest";
import { readSkus, zonesOf } from "./skus.ts";

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
    { name: "a", zones: ["1", "2"], isRestricted: false, capabilities: { vCPUs: "2" } },
    { name: "b", zones: [], isRestricted: true, capabilities: { vCPUs: "2" } },
  ]);
  expect(zonesOf(skus)).toEqual(["1", "2"]);
});

it("knows nothing of other locations and of what are no machines", () => {
  expect(readSkus([sku("a", { resourceType: "disks" }), sku("b", { locations: ["eastus"] })], "westeurope")).toEqual(
    [],
  );
});
