import { Group } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { fillReferences } from "./fill-references.ts";

const key = "capstan.dev/default-templates";
const config = `KubeadmConfigTemplate.${Group.bootstrap}/base`;
const infra = `LinodeMachineTemplate.${Group.infrastructure}/small`;

const configMap = (name: string, data: Readonly<Record<string, string>>, labels: object = { [key]: "" }): KubeObject =>
  ({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "n", name, labels }, data }) as KubeObject;

const present = new Map(
  [
    configMap("default-templates", { bootstrap: config, infrastructure: infra }),
    configMap("other", { bootstrap: `NoteConfigTemplate.${Group.bootstrap}/note` }),
    configMap("unlabelled", { bootstrap: config }, {}),
    configMap("broken", { bootstrap: "KubeadmConfig/base" }),
  ].map((object) => [object.metadata.name, object]),
);
const findConfigMap = ({ name }: { readonly name: string }) => present.get(name);

const object = (kind: string, spec: object, annotations?: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: `${Group.core}/v1beta2`,
  kind,
  metadata: { namespace: "n", name: "m", ...(annotations === undefined ? {} : { annotations }) },
  spec,
});
const set = (fields: object, annotations?: Readonly<Record<string, string>>) =>
  object("MachineSet", { template: { spec: fields } }, annotations);

const configRef = { apiGroup: Group.bootstrap, kind: "KubeadmConfigTemplate", name: "base" };
const infrastructureRef = { apiGroup: Group.infrastructure, kind: "LinodeMachineTemplate", name: "small" };

describe("fillReferences", () => {
  it("gives the templates to what makes Machines, and says so", async () => {
    const { object: filled, message } = await fillReferences(set({ clusterName: "c" }), { findConfigMap });
    expect(filled["spec"]).toEqual({
      template: { spec: { clusterName: "c", bootstrap: { configRef }, infrastructureRef } },
    });
    expect(message).toBe(
      "spec.template.spec.bootstrap.configRef, spec.template.spec.infrastructureRef filled in from ConfigMap default-templates",
    );
    expect(filled.metadata.annotations).toEqual({ "capstan.dev/defaulted-from": message });
  });

  it("gives a Machine objects of its own, and says what they are made from", async () => {
    const { object: filled } = await fillReferences(object("Machine", { bootstrap: {} }), { findConfigMap });
    expect(filled["spec"]).toEqual({
      bootstrap: { configRef: { ...configRef, kind: "KubeadmConfig", name: "m" } },
      infrastructureRef: { ...infrastructureRef, kind: "LinodeMachine", name: "m" },
    });
    expect(filled.metadata.annotations).toMatchObject({
      "capstan.dev/bootstrap-template": config,
      "capstan.dev/infrastructure-template": infra,
    });
  });

  it("takes the ConfigMap that the object names", async () => {
    const { object: filled, message } = await fillReferences(set({}, { [key]: "other" }), { findConfigMap });
    expect(filled["spec"]).toMatchObject({ template: { spec: { bootstrap: { configRef: { name: "note" } } } } });
    expect(message).toBe("spec.template.spec.bootstrap.configRef filled in from ConfigMap other");
  });

  it.each([
    ["references that are set", set({ bootstrap: { configRef }, infrastructureRef })],
    ["data that the user gives", set({ bootstrap: { dataSecretName: "own" }, infrastructureRef })],
    ["kinds without Machines", object("Cluster", {})],
    ["a Machine whose name is not known yet", { ...object("Machine", {}), metadata: { generateName: "m-" } }],
  ])("leaves alone %s", async (_, given) => {
    expect(await fillReferences(given, { findConfigMap })).toEqual({ object: given, message: "" });
  });

  it("does nothing in a namespace without default templates", async () => {
    const given = set({});
    expect((await fillReferences(given, { findConfigMap: () => undefined })).object).toBe(given);
  });

  it("keeps what was filled in when the object is replaced by one without it, whatever the defaults are now", async () => {
    const old = (await fillReferences(set({}), { findConfigMap })).object;
    const { object: filled, message } = await fillReferences(set({}), { old, findConfigMap: () => undefined });
    expect(filled).toEqual(old);
    expect(message).toBe("");
  });

  it("never fills in later what an object was made without", async () => {
    const old = set({});
    expect((await fillReferences(set({}), { old, findConfigMap })).object).toEqual(old);
  });

  it.each([
    [
      "unlabelled",
      "core.default_templates_missing",
      /names ConfigMap unlabelled, which does not exist or lacks the label/,
    ],
    ["nowhere", "core.default_templates_missing", /names ConfigMap nowhere/],
    [
      "broken",
      "core.default_templates_invalid",
      /data\.bootstrap of ConfigMap n\/broken is "KubeadmConfig\/base"; write/,
    ],
  ])("refuses the ConfigMap %s", async (name, code, text) => {
    await expect(fillReferences(set({}, { [key]: name }), { findConfigMap })).rejects.toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(text) as string }),
    );
  });
});
