import type { KubeObject, StructuralSchema } from "@capstan/schema";
import type { ResourceStore } from "../../src/model/types.ts";

export const crds = { group: "apiextensions.k8s.io", version: "v1", plural: "customresourcedefinitions" } as const;
export const things = { group: "test.capstan", plural: "things" } as const;
export const configMaps = { group: "", plural: "configmaps" } as const;
export const namespaces = { group: "", plural: "namespaces" } as const;

type Fields = Readonly<Record<string, unknown>>;

export const version = (spec: StructuralSchema, more: Fields = {}): Fields => ({
  name: "v1",
  served: true,
  storage: true,
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: { spec, status: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    },
  },
  ...more,
});

/** The kind Thing in group test.capstan; `spec` replaces members of the definition's spec. */
export const thingDefinition = (spec: Fields = {}, metadata: KubeObject["metadata"] = {}): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.test.capstan", ...metadata },
  spec: {
    group: "test.capstan",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [version({ type: "object", properties: { a: { type: "string" } } })],
    ...spec,
  },
});

export const thing = (name: string, more: Fields = {}): KubeObject => ({
  apiVersion: "test.capstan/v1",
  kind: "Thing",
  metadata: { name, namespace: "default" },
  ...more,
});

interface Refusal {
  readonly status?: {
    readonly code?: number;
    readonly reason?: string;
    readonly details?: { readonly causes?: readonly { readonly reason: string; readonly field: string }[] };
  };
}

/** What a refused call answers: code, reason and `reason field` of every cause. */
export const refusal = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason as Refusal,
  );
  if (error?.status === undefined) throw new Error(`not refused: ${String(error)}`, { cause: error });
  const { code, reason, details } = error.status;
  return { code, reason, causes: (details?.causes ?? []).map((cause) => `${cause.reason} ${cause.field}`) };
};

/** Creates the kind Thing. */
export const defineThings = (store: ResourceStore, spec: Fields = {}): Promise<KubeObject> =>
  store.create(crds, thingDefinition(spec));
