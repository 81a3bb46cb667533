import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { elementalWebhooks } from "./webhooks.ts";

const find = async () => undefined;

const wrongWith = async (kind: string, spec: object): Promise<readonly string[]> => {
  const webhook = elementalWebhooks.find(({ kind: of }) => of.kind === kind);
  const object = { apiVersion: "v1", kind, metadata: { namespace: "here" }, spec } as KubeObject;
  const causes = (await webhook?.validate?.(object, { find })) ?? [];
  return causes.map(({ field, message }) => `${field}: ${message}`);
};

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;

describe("an ElementalMachine", () => {
  it.each([
    [{ componentsBundle: "registry.example/bundles/k3s:1.0" }],
    [{ components: { image: `registry.example/k3s@${digest("a")}`, env: { FLAVOUR: "x" } } }],
    [{}],
  ])("is accepted with %j", async (spec) => {
    expect(await wrongWith("ElementalMachine", spec)).toEqual([]);
  });

  it.each([
    [{ componentsBundle: "No Image" }, "spec.componentsBundle: Invalid value"],
    [{ componentsBundle: "a/b:1", components: { image: "a/b:1" } }, "spec.componentsBundle: Forbidden"],
    [{ components: { image: "a/b:1", env: { CAPSTAN_ROLE: "x" } } }, "spec.components.env.CAPSTAN_ROLE: Forbidden"],
    [{ components: { image: "a/b:1", env: { "1A": "x" } } }, "spec.components.env: Invalid value"],
    [{ components: { image: `a/b@${digest("a")}`, digest: digest("b") } }, "spec.components.digest: Invalid value"],
    [
      { components: { image: "a/b:1", signature: { required: true } } },
      "spec.components.signature.publicKeys: Required",
    ],
    [{ components: { image: "a/b:1", signature: { publicKeys: ["x"] } } }, "spec.components.signature.publicKeys[0]: "],
    [{ selector: { matchExpressions: [{ key: "a", operator: "Like" }] } }, "spec.selector"],
  ])("is refused with %j", async (spec, said) => {
    expect(await wrongWith("ElementalMachine", spec)).toEqual([expect.stringContaining(said)]);
    const inTemplate = await wrongWith("ElementalMachineTemplate", { template: { spec } });
    expect(inTemplate).toEqual([expect.stringContaining(said.replace("spec.", "spec.template.spec."))]);
  });
});

it("a template has nothing of one machine", async () => {
  const spec = { template: { spec: { providerID: "elemental://a/b", hostRef: { name: "b" } } } };
  expect(await wrongWith("ElementalMachineTemplate", spec)).toEqual([
    expect.stringContaining("spec.template.spec.hostRef: Forbidden"),
    expect.stringContaining("spec.template.spec.providerID: Forbidden"),
  ]);
});

it("a registration has its key beside it, and a URL", async () => {
  const spec = {
    privateKeyRef: { name: "key", namespace: "elsewhere" },
    config: { elemental: { registration: { uri: "here" } } },
  };
  expect(await wrongWith("ElementalRegistration", spec)).toEqual([
    expect.stringContaining("spec.privateKeyRef.namespace: Invalid value"),
    expect.stringContaining("spec.config.elemental.registration.uri: Invalid value"),
  ]);
});
