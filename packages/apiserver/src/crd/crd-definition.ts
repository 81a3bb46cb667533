import { isDeepStrictEqual } from "node:util";
import { rfc3339 } from "@capstan/contract";
import { flowOf } from "@capstan/evaluation";
import type { Cause, KubeObject } from "@capstan/schema";
import type { HookContext, ResourceDefinition, Strategy } from "../model/types.ts";
import { hasTakenNames, withAcceptedNames } from "./accepted-names.ts";
import { withCrdDefaults } from "./crd-defaults.ts";
import type { CrdStatus, CustomResourceDefinition } from "./crd-types.ts";
import { asCrd, cleanupFinalizer, crdRef, storageVersion, withCondition } from "./crd-types.ts";
import { crdCauses } from "./validate-crd.ts";
import { longSchemaFaults } from "./schema-faults.ts";
import { longSchemas, storedVersionCauses } from "./validate-versions.ts";
import { warnOfFormats } from "./warn-of-formats.ts";

const allCrds = (context: HookContext): readonly CustomResourceDefinition[] => context.store.peekAll(crdRef).map(asCrd);

/** Returns whether there is enough of a spec to work with; validation reports what is missing. */
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

/** Hooks with which the controller of definitions takes part in requests. */
export interface CrdHooks {
  /** Called before a DELETE is answered, when the definition has been marked. */
  readonly afterMark: (crd: CustomResourceDefinition) => Promise<void>;
}

const withoutRepeats = (causes: readonly Cause[]): readonly Cause[] => {
  const seen = new Set<string>();
  return causes.filter(({ reason, field }) => seen.size < seen.add(`${reason} ${field}`).size);
};

const strategy = (builtin: Strategy, { afterMark }: CrdHooks): Strategy => ({
  ...builtin,
  prepareForCreate: (object, context) => withStatus(asCrd(object), context),
  prepareForUpdate: (object, _old, context) => withStatus(asCrd(object), context),
  isOutrun: (object, old, context) => {
    const names = asCrd(object).status?.acceptedNames;
    const had = old === undefined ? undefined : asCrd(old).status?.acceptedNames;
    return !isDeepStrictEqual(names, had) && hasTakenNames(asCrd(object), allCrds(context));
  },
  validate: (object, context) => {
    const causes = [...crdCauses(asCrd(object)), ...(builtin.validate?.(object, context) ?? [])];
    if (causes.length === 0) warnOfFormats(asCrd(object), undefined, context);
    return withoutRepeats(causes);
  },
  validateUpdate: (object, old, context, subresource) => {
    if (subresource === "status") return storedVersionCauses(asCrd(object));
    const causes = [...crdCauses(asCrd(object), asCrd(old)), ...(builtin.validate?.(object, context) ?? [])];
    if (causes.length === 0) warnOfFormats(asCrd(object), asCrd(old), context);
    return withoutRepeats(causes);
  },
  validateRules: async (object, old, found, { user }) => {
    if (found.length > 0) return [];
    const causes: Cause[] = [];
    for (const schema of longSchemas(asCrd(object), old === undefined ? undefined : asCrd(old))) {
      causes.push(...(await longSchemaFaults(schema, flowOf(undefined, user.name))));
    }
    return causes;
  },
  beforeDelete: (object, _options, context) =>
    object.metadata.deletionTimestamp === undefined ? terminating(asCrd(object), context) : undefined,
  afterMark: (object) => afterMark(asCrd(object)),
});

/** The kind CustomResourceDefinition with its behaviour, from the built-in kind that only knows its types. */
export const crdDefinition = (builtin: ResourceDefinition, hooks: CrdHooks): ResourceDefinition => ({
  ...builtin,
  applyDefaults: withCrdDefaults,
  subresources: [{ name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } }],
  strategy: strategy(builtin.strategy, hooks),
});
