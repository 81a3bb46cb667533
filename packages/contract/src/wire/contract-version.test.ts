import { describe, expect, it } from "vitest";
import { chooseContract, contractOfVersion, crdNameFor } from "./contract-version.ts";

const name = "acmemachines.infrastructure.example.com";
const v1beta1 = "cluster.x-k8s.io/v1beta1";
const v1beta2 = "cluster.x-k8s.io/v1beta2";

describe("chooseContract", () => {
  it.each([
    ["only the older label", { [v1beta1]: "v1alpha1" }, { contract: "v1beta1", version: "v1alpha1" }],
    ["only the newer label", { [v1beta2]: "v1beta1" }, { contract: "v1beta2", version: "v1beta1" }],
    ["both", { [v1beta1]: "v1", [v1beta2]: "v1alpha1" }, { contract: "v1beta2", version: "v1alpha1" }],
    ["an empty newer label", { [v1beta1]: "v1beta1", [v1beta2]: "" }, { contract: "v1beta1", version: "v1beta1" }],
    ["several versions", { [v1beta2]: "v1beta1_v1alpha2_v1beta2" }, { contract: "v1beta2", version: "v1beta2" }],
    ["a stable version", { [v1beta2]: "v1beta2_v1_v1alpha9" }, { contract: "v1beta2", version: "v1" }],
  ] as const)("takes the right one of %s", (_case, labels, expected) => {
    expect(chooseContract(name, labels)).toEqual(expected);
  });

  it.each([{}, { [v1beta1]: "" }, { "cluster.x-k8s.io/provider": "x" }])("refuses %j and names the CRD", (labels) => {
    expect(() => chooseContract(name, labels)).toThrow(
      expect.objectContaining({ code: "wire.contract_unknown", message: expect.stringContaining(name) }),
    );
  });
});

describe("contractOfVersion", () => {
  const labels = { [v1beta1]: "v1alpha4", [v1beta2]: "v1beta1_v1beta2" };
  it.each([
    ["v1alpha4", "v1beta1"],
    ["v1beta1", "v1beta2"],
    ["v1beta2", "v1beta2"],
  ])("finds %s in the label of %s", (version, contract) => {
    expect(contractOfVersion(name, labels, version)).toBe(contract);
  });
  it("refuses a version that no label lists", () => {
    expect(() => contractOfVersion(name, labels, "v1")).toThrow(
      expect.objectContaining({ code: "wire.contract_unknown" }),
    );
  });
});

it.each([
  ["AcmeMachine", "acmemachines"],
  ["AcmeProxy", "acmeproxies"],
  ["AcmeGateway", "acmegateways"],
  ["IPAddress", "ipaddresses"],
  ["AcmeMesh", "acmemeshes"],
])("computes the CRD name of %s", (kind, plural) => {
  expect(crdNameFor("infrastructure.example.com", kind)).toBe(`${plural}.infrastructure.example.com`);
});
