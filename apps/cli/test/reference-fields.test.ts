import { declaredReferences } from "@capstan/kit/references";
import { isKind, type StructuralSchema } from "@capstan/schema";
import { expect, it } from "vitest";
import { providerNames } from "../src/modules/providers.ts";
import { createProviders } from "../src/modules/providers.ts";
import { nothingOutside } from "./managed-world.ts";

/** Fields that name a namespace and are no declared references, with the reason. `*` stands for every kind. */
const others: Readonly<Record<string, string>> = {
  "AzureCluster spec.identityRef": "the identity says in allowedNamespaces who may use it",
  "AzureClusterTemplate spec.template.spec.identityRef": "as in AzureCluster",
  "AzureClusterIdentity spec.allowedNamespaces": "grants, and asks for nothing",
  "ElementalHost spec.bootstrapSecret": "read in the namespace of the host",
  "ElementalHost spec.machineRef": "a machine takes hosts of its own namespace only",
  "ElementalMachine spec.hostRef": "written by the controller, and never followed",
  "ElementalMachineTemplate spec.template.spec.hostRef": "refused by admission",
  "ElementalRegistration spec.privateKeyRef": "read in the namespace of the registration",
  "Hardware spec.references[*]": "refused by admission, and not followed",
  "KThreesControlPlane spec.machineTemplate.infrastructureRef": "followed in the namespace of the control plane",
  "KThreesControlPlaneTemplate spec.template.spec.machineTemplate.infrastructureRef": "as in KThreesControlPlane",
  "MachineDrainRule spec.pods[*].namespaceSelector": "of Pods in workload clusters",
  "WorkflowRuleSet spec.workflow": "refused by admission, and not followed",
};

/** Paths of a schema that name a namespace: objects with a field `namespace`, and fields that are called after it otherwise. */
const namespacePaths = (schema: StructuralSchema, path: string): readonly string[] => {
  const { properties = {}, items, additionalProperties } = schema;
  const here = path !== "" && "namespace" in properties ? [path] : [];
  const named = Object.keys(properties).filter((name) => name !== "namespace" && /namespace/i.test(name));
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const inner = typeof additionalProperties === "object" ? additionalProperties : items;
  return [
    ...here,
    ...named.map(at),
    ...Object.entries(properties).flatMap(([name, each]) => namespacePaths(each, at(name))),
    ...(inner === undefined ? [] : namespacePaths(inner, `${path}[*]`)),
  ];
};

it("every field that names a namespace is a declared reference, or says why it needs to be none", async () => {
  const providers = await createProviders(providerNames, nothingOutside);
  const found = providers
    .flatMap(({ kinds }) => kinds)
    .flatMap((kind) => {
      if (!isKind(kind)) return [];
      const declared = new Set(declaredReferences(kind).map(({ path }) => path));
      const { spec } = kind.schema.properties ?? {};
      const paths = new Set(spec === undefined ? [] : namespacePaths(spec, "spec"));
      for (const path of declared) expect([...paths], `${kind.kind} has no field ${path}`).toContain(path);
      return [...paths].filter((path) => !declared.has(path)).map((path) => `${kind.kind} ${path}`);
    });
  expect(found.toSorted()).toEqual(Object.keys(others).toSorted());
});
