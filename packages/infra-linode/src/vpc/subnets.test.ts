import type { Vpc, VpcSubnet } from "@capstan/linode-client";
import { describe, expect, it } from "vitest";
import type { LinodeVPC } from "../api/linode-vpc.v1alpha2.ts";
import { labelledSubnets, missingSubnets, subnetDifferences, subnetFacts } from "./subnets.ts";

type Spec = LinodeVPC["spec"];

const range = (ipv4: string) => ({ ipv4, retain: false });

const made = (id: number, label: string, ipv4: string) => ({ id, label, ipv4, linodes: [] }) as unknown as VpcSubnet;

describe("subnets of a LinodeVPC", () => {
  it.each<[string, Spec["subnets"], readonly string[]]>([
    ["none", undefined, []],
    ["one without a label", [range("10.0.0.0/8")], ["default"]],
    ["two without a label", [range("10.0.0.0/24"), range("10.0.1.0/24")], ["default", "default-2"]],
    [
      "one beside a default",
      [{ retain: false }, { label: "default", retain: false }, { label: "default-2", retain: false }],
      ["default-3", "default", "default-2"],
    ],
  ])("have a label each: %s", (_, subnets, labels) => {
    const spec: Spec = { region: "us-ord", retain: false, ...(subnets !== undefined && { subnets }) };
    expect(labelledSubnets(spec).map(({ label }) => label)).toEqual(labels);
  });

  it("are found by the label that they were given, before their id is recorded", () => {
    const spec: Spec = { region: "us-ord", retain: false, subnets: [range("10.0.0.0/24"), range("10.0.1.0/24")] };
    const object = { spec } as LinodeVPC;
    const subnets = [made(1, "default", "10.0.0.0/24"), made(2, "default-2", "10.0.1.0/24")];
    const vpc = { subnets } as unknown as Vpc;
    expect(missingSubnets(object, vpc)).toEqual([]);
    expect(subnetDifferences(object, vpc)).toEqual([]);
    expect(subnetFacts(spec, subnets)).toEqual([
      { ipv4: "10.0.0.0/24", retain: false, subnetID: 1 },
      { ipv4: "10.0.1.0/24", retain: false, subnetID: 2 },
    ]);
  });
});
