import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { resource } from "@capstan/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startInMemory } from "./system-in-memory.ts";

let client: Client;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ client, stop } = await startInMemory());
});
afterAll(() => stop());

const core = "cluster.x-k8s.io";
const azure = "infrastructure.cluster.x-k8s.io/v1beta1";
const machine = {
  clusterName: "prod",
  bootstrap: { dataSecretName: "d" },
  infrastructureRef: { kind: "K", name: "n" },
};
const ofSubnets = (subnet: object) => ({
  location: "westeurope",
  networkSpec: { subnets: [{ role: "node", ...subnet }] },
});

const codeOf = async (apiVersion: string, kind: string, spec: object): Promise<unknown> => {
  const [group = "", version = ""] = apiVersion.split("/");
  const resourceOfKind = resource({ group, version, kind, plural: `${kind.toLowerCase()}s` });
  const object = { apiVersion, kind, metadata: { namespace: "default", name: "misshapen" }, spec };
  try {
    return (await client.create(resourceOfKind, object, { dryRun: true })).kind;
  } catch (error) {
    return isCapstanError(error) ? error.code : error;
  }
};

it.each<[kind: string, apiVersion: string, what: string, spec: object]>([
  ["AzureCluster", azure, "a rule that is null", ofSubnets({ securityGroup: { securityRules: [null] } })],
  ["AzureCluster", azure, "rules that are a text", ofSubnets({ securityGroup: { securityRules: "x" } })],
  ["AzureCluster", azure, "ranges that are an object", ofSubnets({ cidrBlocks: {} })],
  ["AzureCluster", azure, "a range that is a number", ofSubnets({ cidrBlocks: [1] })],
  ["AzureMachine", azure, "disks that are an object", { vmSize: "s", osDisk: { osType: "Linux" }, dataDisks: {} }],
  ["AzureMachine", azure, "a disk that is null", { vmSize: "s", osDisk: { osType: "Linux" }, dataDisks: [null] }],
  ["Machine", `${core}/v1beta1`, "a version that is a list", { ...machine, version: [] }],
  ["MachineSet", `${core}/v1beta1`, "a template without a spec", { clusterName: "prod", template: {}, selector: {} }],
  ["MachineSet", `${core}/v1beta1`, "no template", { clusterName: "prod", selector: {} }],
  ["MachinePool", `${core}/v1beta1`, "a template without a spec", { clusterName: "prod", template: {} }],
])("%s of %s with %s is invalid, whatever defaults and rules make of it", async (kind, apiVersion, _, spec) => {
  expect(await codeOf(apiVersion, kind, spec)).toBe("kube.invalid");
});
