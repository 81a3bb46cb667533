import { type ContractVersion, contractLabel } from "@capstan/contract/wire";
import { type KubeObject, type Resource, resource } from "@capstan/schema";

/** A provider's kind of which the API server knows nothing but its name. */
export interface FreeKind {
  readonly resource: Resource;
  readonly crd: KubeObject;
  /** A reference to it, up to the name. */
  readonly ref: { readonly apiGroup: string; readonly kind: string };
}

const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;

/** A kind that is served as `v1` and speaks `contract`: anything may stand in spec and status, and what its provider would do, a test does. */
export const freeKind = (group: string, kind: string, contract: ContractVersion): FreeKind => {
  const plural = `${kind.toLowerCase()}s`;
  const crd: KubeObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, labels: { [contractLabel(contract)]: "v1" } },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { spec: free, status: free } } },
        },
      ],
    },
  };
  return { crd, resource: resource({ group, version: "v1", kind, plural }), ref: { apiGroup: group, kind } };
};
