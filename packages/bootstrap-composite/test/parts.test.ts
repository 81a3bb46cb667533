import { ownerReference, MachineResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { documentOf } from "../src/config/part-document.ts";
import type { Context } from "../src/config/uses.ts";

const namespace = "default";
const machine = (name: string): KubeObject => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Machine",
  metadata: { namespace, name, uid: `uid-of-${name}` },
});

/** What the part sees of a config of another provider: whose it is, and what it made. */
const sourceOf = (owner: string, data: Readonly<Record<string, string>>): Context => {
  const object: KubeObject = {
    apiVersion: "bootstrap.cluster.x-k8s.io/v1beta2",
    kind: "AcmeConfig",
    metadata: {
      namespace,
      name: "own",
      ownerReferences: [ownerReference(MachineResource, machine(owner), { controller: true })],
    },
    status: { dataSecretName: "own", initialization: { dataSecretCreated: true } },
  };
  return {
    object: {
      apiVersion: object.apiVersion,
      kind: "CompositeConfig",
      metadata: { namespace, name: "whole", uid: "c" },
    },
    machine: machine("m"),
    cluster: { apiVersion: "", kind: "Cluster", metadata: { namespace, name: "orchid" } },
    client: { patch: async () => object },
    secret: async () => data,
    uses: { parts: { find: async () => ({ object, contract: "v1beta2" }) } },
  } as unknown as Context;
};

const part = {
  name: "base",
  configRef: { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "AcmeConfig", name: "own" },
};

it("takes the data of a config that is the Machine's", async () => {
  const value = "#cloud-config\nruncmd: [echo base]\n";
  expect(await documentOf(sourceOf("m", { value, format: "cloud-config" }), part)).toEqual({ text: value });
});

it("leaves the config of another Machine alone, by its name", async () => {
  await expect(documentOf(sourceOf("other", { value: "x" }), part)).rejects.toMatchObject({
    code: "composite.config_taken",
    message: "AcmeConfig default/own belongs to Machine other; CompositeConfig whole needs one of its own",
  });
});

it("refuses data that is no cloud-config, with the part and its format", async () => {
  await expect(documentOf(sourceOf("m", { value: "{}", format: "ignition" }), part)).rejects.toMatchObject({
    code: "composite.format_unsupported",
    message: expect.stringMatching(/^spec\.parts\[base\]: AcmeConfig own makes data of format ignition/) as unknown,
  });
});
