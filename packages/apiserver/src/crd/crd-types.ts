import type { KubeObject, StructuralSchema } from "@capstan/schema";
import type { PrinterColumn } from "../model/types.ts";
import type { WebhookClientConfig } from "../webhooks/webhook-endpoint.ts";

/** A CustomResourceDefinition (apiextensions.k8s.io/v1) after decoding: types are right, required members may be absent. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: CrdSpec;
  readonly status?: CrdStatus;
}

export interface CrdSpec {
  readonly group: string;
  readonly names: CrdNames;
  readonly scope: string;
  readonly versions: readonly CrdVersion[];
  readonly conversion?: CrdConversion;
  readonly preserveUnknownFields?: boolean;
}

export interface CrdNames {
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
}

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: CrdScale };
  readonly additionalPrinterColumns?: readonly (PrinterColumn & { readonly jsonPath: string })[];
  readonly selectableFields?: readonly { readonly jsonPath?: string }[];
}

export interface CrdScale {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface CrdConversion {
  readonly strategy: string;
  readonly webhook?: {
    readonly clientConfig?: WebhookClientConfig;
    readonly conversionReviewVersions?: readonly string[];
  };
}

export interface CrdCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface CrdStatus {
  readonly conditions?: readonly CrdCondition[];
  readonly acceptedNames?: CrdNames;
  readonly storedVersions?: readonly string[];
}

export const crdRef = { group: "apiextensions.k8s.io", version: "v1", plural: "customresourcedefinitions" } as const;

/** Holds a definition until its objects are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

export const asCrd = (object: KubeObject): CustomResourceDefinition => object as CustomResourceDefinition;

export const conditionOf = (crd: CustomResourceDefinition, type: string): CrdCondition | undefined =>
  crd.status?.conditions?.find((condition) => condition.type === type);

/** Returns whether a condition is True. */
export const isTrue = (crd: CustomResourceDefinition, type: string): boolean =>
  conditionOf(crd, type)?.status === "True";

/** The version objects are stored in. */
export const storageVersion = (spec: CrdSpec): CrdVersion | undefined => spec.versions.find(({ storage }) => storage);

/** The conditions with one set; the time changes only with the status. */
export const withCondition = (
  conditions: readonly CrdCondition[],
  condition: Omit<CrdCondition, "lastTransitionTime">,
  time: string,
): readonly CrdCondition[] => {
  const old = conditions.find(({ type }) => type === condition.type);
  const next: CrdCondition = {
    lastTransitionTime: old?.status === condition.status ? (old.lastTransitionTime ?? time) : time,
    ...condition,
  };
  return old === undefined ? [...conditions, next] : conditions.map((other) => (other === old ? next : other));
};
