import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";
import { TinkerbellMachineTemplate } from "../api/tinkerbell-machine-template.v1beta1.ts";
import { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { tinkerbellWebhooks } from "./webhooks.ts";

const find = async () => undefined;

const hooksOf = (kind: { readonly kind: string }) => tinkerbellWebhooks.find((each) => each.kind.kind === kind.kind)!;

const objectOf = (kind: { readonly kind: string }, spec: object): KubeObject => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: kind.kind,
  metadata: { name: "a", namespace: "default" },
  spec,
});

const causes = async (kind: { readonly kind: string }, spec: object, old?: object): Promise<readonly string[]> => {
  const context = { find, ...(old !== undefined && { old: objectOf(kind, old) }) };
  const found = (await hooksOf(kind).validate?.(objectOf(kind, spec), context)) ?? [];
  return found.map(({ field, message }) => `${field}: ${message}`);
};

const machine = (spec: object, old?: object) => causes(TinkerbellMachine, spec, old);
const template = (spec: object, old?: object) =>
  causes(TinkerbellMachineTemplate, { template: { spec } }, old && { template: { spec: old } });

const defaulted = async (spec: object) => {
  const found = await hooksOf(TinkerbellCluster).default?.(objectOf(TinkerbellCluster, spec), { find });
  return (found as { readonly object: KubeObject }).object["spec"];
};

describe("TinkerbellCluster", () => {
  it("looks up Ubuntu 20.04 unless it says otherwise", async () => {
    expect(await defaulted({})).toEqual({
      imageLookupFormat: "{{.BaseRegistry}}/{{.OSDistro}}-{{.OSVersion}}:{{.KubernetesVersion}}.gz",
      imageLookupOSVersion: "20.04",
    });
    expect(await defaulted({ imageLookupOSDistro: "flatcar" })).not.toHaveProperty("imageLookupOSVersion");
    expect(await defaulted({ imageLookupOSVersion: "24.04" })).toHaveProperty("imageLookupOSVersion", "24.04");
  });

  it("refuses what no image can be looked up with", async () => {
    const found = await causes(TinkerbellCluster, { imageLookupFormat: "{{ .BaseRegistry }}/{{ .Arch }}" });
    expect(found).toEqual([expect.stringContaining("spec.imageLookupFormat")]);
    expect(found[0]).toContain('map has no entry for key "Arch"');
  });
});

describe("TinkerbellMachine", () => {
  it("has a name that can be a label", async () => {
    const object = { ...objectOf(TinkerbellMachine, {}), metadata: { name: "m".repeat(64) } };
    expect(await hooksOf(TinkerbellMachine).validate?.(object, { find })).toEqual([
      expect.objectContaining({ field: "metadata.name", reason: "FieldValueTooLong" }),
    ]);
  });

  it("keeps the Hardware that it has", async () => {
    expect(await machine({ hardwareName: "hw-1" }, {})).toEqual([]);
    expect(await machine({ hardwareName: "hw-2" }, { hardwareName: "hw-1" })).toEqual([
      expect.stringContaining("spec.hardwareName"),
    ]);
    expect(await machine({}, { providerID: "tinkerbell://default/hw-1" })).toEqual([
      expect.stringContaining("spec.providerID"),
    ]);
  });

  it("names what a boot mode lacks", async () => {
    expect(await machine({ bootOptions: { bootMode: "isoboot" } })).toEqual([
      expect.stringContaining("spec.bootOptions.isoURL"),
    ]);
    expect(await machine({ bootOptions: { bootMode: "customboot" } })).toEqual([
      expect.stringContaining("spec.bootOptions.custombootConfig"),
    ]);
    expect(await machine({ bootOptions: { bootMode: "iso", isoURL: "no address" } })).toEqual([
      expect.stringContaining("is not an address"),
    ]);
    expect(await machine({ bootOptions: { bootMode: "netboot" } })).toEqual([]);
  });

  it("refuses selectors that cannot be read", async () => {
    const labelSelector = { matchExpressions: [{ key: "rack", operator: "Near", values: ["1"] }] };
    const hardwareAffinityTerm = { labelSelector };
    expect(await machine({ hardwareAffinity: { required: [hardwareAffinityTerm] } })).toEqual([
      expect.stringContaining("spec.hardwareAffinity.required[0].labelSelector.matchExpressions[0].operator"),
    ]);
    expect(await machine({ hardwareAffinity: { preferred: [{ weight: 1, hardwareAffinityTerm }] } })).toEqual([
      expect.stringContaining("spec.hardwareAffinity.preferred[0].hardwareAffinityTerm.labelSelector"),
    ]);
  });
});

it("refuses more terms of an affinity than are asked of every Hardware", async () => {
  const hardwareAffinityTerm = { labelSelector: { matchLabels: { rack: "1" } } };
  const terms = (length: number) => Array.from({ length }, () => hardwareAffinityTerm);
  const preferred = terms(60).map((each) => ({ weight: 1, hardwareAffinityTerm: each }));
  expect(await machine({ hardwareAffinity: { required: terms(40), preferred } })).toEqual([]);
  expect(await machine({ hardwareAffinity: { required: terms(41), preferred } })).toEqual([
    expect.stringContaining("at most 100 terms"),
  ]);
});

describe("TinkerbellMachineTemplate", () => {
  it("is not of one machine", async () => {
    expect(await template({ hardwareName: "hw-1", providerID: "tinkerbell://default/hw-1" })).toEqual([
      expect.stringContaining("spec.template.spec.hardwareName"),
      expect.stringContaining("spec.template.spec.providerID"),
    ]);
  });

  it("cannot be changed", async () => {
    expect(await template({ imageLookupOSVersion: "24.04" }, { imageLookupOSVersion: "22.04" })).toEqual([
      expect.stringContaining("create a new one"),
    ]);
    expect(await template({ imageLookupOSVersion: "24.04" }, { imageLookupOSVersion: "24.04" })).toEqual([]);
  });
});
