import { isDeepStrictEqual } from "node:util";
import { rfc3339 } from "@capstan/contract";
import type { Cause, KubeObject } from "@capstan/schema";
import type { HookContext, ResourceDefinition, Strategy } from "../model/types.ts";
import { hasTakenNames, withAcceptedNames } from "./accepted-names.ts";
import { withCrdDefaults } from "./crd-defaults.ts";
import type { CrdStatus, CustomResourceDefinition } from "./crd-types.ts";
import { asCrd, cleanupFinalizer, crdRef, storageVersion, withCondition } from "./crd-types.ts";
import { crdCauses } from "./validate-crd.ts";
import { storedVersionCauses } from "./validate-versions.ts";

const allCrds = (context: HookContext): readonly CustomResourceDefinition[] => context.store.peekAll(crdRef).map(asCrd);

/** Whether there is enough of a spec to work with; validation reports what is missing. */
const isComplete = (crd: CustomResourceDefinition): boolean =>
  typeof crd.spec === "object" && typeof crd.spec.names === "object" && Array.isArray(crd.spec.versions);

const withStatus = (crd: CustomResourceDefinition, context: HookContext): KubeObject => {
  if (!isComplete(crd)) return crd;
  const named = withAcceptedNames(crd, allCrds(context), context.now);
  const stored = crd.status?.storedVersions ?? [];
  const storage = storageVersion(crd.spec)?.name;
  const storedVersions = storage === undefined || stored.includes(storage) ? stored : [...stored, storage];
  const status: CrdStatus = { ...named, storedVersions };
  return { ...crd, status };
};

/** A definition that is deleted stays until its objects are gone. */
const terminating = (crd: CustomResourceDefinition, { now }: HookContext): KubeObject => {
  const { metadata } = crd;
  const finalizers = metadata.finalizers ?? [];
  const conditions = withCondition(
    crd.status?.conditions ?? [],
    {
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionPending",
      message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    },
    rfc3339(now),
  );
  return {
    ...crd,
    metadata: {
      ...metadata,
      deletionTimestamp: rfc3339(now),
      deletionGracePeriodSeconds: 0,
      generation: (metadata.generation ?? 0) + 1,
      finalizers: finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer],
    },
    status: { ...crd.status, conditions },
  };
};

const withoutRepeats = (causes: readonly Cause[]): readonly Cause[] => {
  const seen = new Set<string>();
  return causes.filter(({ reason, field }) => seen.size < seen.add(`${reason} ${field}`).size);
};

const strategy = (builtin: Strategy): Strategy => ({
  ...builtin,
  prepareForCreate: (object, context) => withStatus(asCrd(object), context),
  prepareForUpdate: (object, _old, context) => withStatus(asCrd(object), context),
  isOutrun: (object, old, context) => {
    const names = asCrd(object).status?.acceptedNames;
    const had = old === undefined ? undefined : asCrd(old).status?.acceptedNames;
    return !isDeepStrictEqual(names, had) && hasTakenNames(asCrd(object), allCrds(context));
  },
  validate: (object, context) =>
    withoutRepeats([...crdCauses(asCrd(object)), ...(builtin.validate?.(object, context) ?? [])]),
  validateUpdate: (object, old, context, subresource) =>
    subresource === "status"
      ? storedVersionCauses(asCrd(object))
      : withoutRepeats([...crdCauses(asCrd(object), asCrd(old)), ...(builtin.validate?.(object, context) ?? [])]),
  beforeDelete: (object, _options, context) =>
    object.metadata.deletionTimestamp === undefined ? terminating(asCrd(object), context) : undefined,
});

/** The kind CustomResourceDefinition with its behaviour, from the built-in kind that only knows its types. */
export const crdDefinition = (builtin: ResourceDefinition): ResourceDefinition => ({
  ...builtin,
  applyDefaults: withCrdDefaults,
  subresources: [{ name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } }],
  strategy: strategy(builtin.strategy),
});
