import { presentFields } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { PatchError } from "@capstan/contract/patch";
import { ownersAfterUpdate } from "./apply-update.ts";
import type { Write } from "./apply-update.ts";
import { claimedPaths, compare } from "./compare.ts";
import { conflictsOf } from "./conflicts.ts";
import type { ApplyConflicts } from "./conflicts.ts";
import { difference, emptySet, equalSets, type FieldSet, intersection, isEmptySet, union } from "./field-set.ts";
import { clientAppliedPaths, lastApplier, withLastApplied } from "./last-applied.ts";
import { decodeOwners, encodeOwners, isSameOwner } from "./managed-fields.ts";
import type { Owner } from "./managed-fields.ts";
import { mergeTyped, pruneAbandoned } from "./merge.ts";
import { ownable } from "./ownership.ts";
import { typingErrors } from "./typing.ts";

export type ApplyResult =
  /** The object to store; equal to the live one when nothing changes. Not yet defaulted or validated. */
  { readonly object: KubeObject } | { readonly conflicts: ApplyConflicts };

/**
 * Server-side apply: merges the configuration into the live object, removes what the manager applied before and no one owns now, and
 * moves ownership. The caller has checked names, versions, uid and resourceVersion.
 * Throws `PatchError`: 400 when the configuration carries managedFields, 500 when it does not fit the schema.
 */
export const serverSideApply = (
  apply: Write & {
    /** Absent: the object is created. */
    readonly live?: KubeObject | undefined;
    readonly config: KubeObject;
    readonly force: boolean;
  },
): ApplyResult => {
  const { live, schema, force } = apply;
  checkConfig(apply.config, apply);
  const config = endpointPart(apply.config, apply);
  const former = live === undefined ? [] : formerOwners(live, apply);
  const applier = applierOf(apply);
  const before = former.find((owner) => isSameOwner(owner, applier));
  const others = former.filter((owner) => owner !== before);
  const claimed = claimedPaths(config, schema);

  const merged = live === undefined ? config : mergeTyped(live, config, schema);
  const applied = compare(undefined, config, schema).added;
  const owned = others.reduce((fields, owner) => union(fields, owner.fields), applied);
  const object = pruneAbandoned(merged, before?.fields ?? emptySet, owned, schema) as KubeObject;

  const changes = compare(live, object, schema);
  const written = union(changes.added, changes.modified);
  const disputed = others
    .map((owner) => ({ owner, fields: intersection(owner.fields, written) }))
    .filter(({ fields }) => !isEmptySet(fields));
  const conflicting = force ? [] : withoutClientApplied(disputed, live, apply);
  if (conflicting.length > 0) {
    return { conflicts: conflictsOf(conflicting) };
  }
  const lost = union(written, changes.removed);
  const fields = ownable(claimed, apply);
  const unchanged =
    before !== undefined && before.apiVersion === applier.apiVersion && equalSets(before.fields, fields);
  const owners = [
    ...others.map((owner) => ({ ...owner, fields: difference(owner.fields, lost) })),
    unchanged ? before : { ...applier, fields },
  ];
  const remembered =
    live === undefined || apply.manager !== lastApplier ? object : withLastApplied(object, live, apply.config);
  return { object: withOwners(remembered, owners) };
};

interface Dispute {
  readonly owner: Owner;
  readonly fields: FieldSet;
}

/** kubectl does not dispute with itself what it has set by client-side apply. */
const withoutClientApplied = (
  disputed: readonly Dispute[],
  live: KubeObject | undefined,
  { manager, schema }: Write,
): readonly Dispute[] => {
  if (disputed.length === 0 || live === undefined || manager !== lastApplier) {
    return disputed;
  }
  const own = clientAppliedPaths(live, schema);
  return disputed
    .map(({ owner, fields }) => ({ owner, fields: difference(fields, own) }))
    .filter(({ fields }) => !isEmptySet(fields));
};

const applierOf = ({ manager, apiVersion, time, subresource }: Write): Omit<Owner, "fields"> => ({
  manager,
  operation: "Apply",
  apiVersion,
  time,
  ...(subresource === undefined || subresource === "" ? {} : { subresource }),
});

/** The part of a configuration that counts at the endpoint: status at `/status`, everything else at the main endpoint. */
const endpointPart = (config: KubeObject, { subresource, hasStatus }: Write): KubeObject => {
  if (subresource === "status") {
    const { apiVersion, kind, metadata, status } = config;
    const { name, namespace, managedFields } = metadata;
    const identity = { name, namespace, managedFields };
    return {
      apiVersion,
      kind,
      metadata: presentFields<KubeObject["metadata"]>(identity),
      ...(status === undefined ? {} : { status }),
    };
  }
  if (hasStatus === true && Object.hasOwn(config, "status")) {
    const { status: _, ...rest } = config;
    return rest;
  }
  return config;
};

const checkConfig = (config: KubeObject, { schema }: Write): void => {
  if (config.metadata.managedFields !== undefined && config.metadata.managedFields !== null) {
    throw new PatchError(400, "metadata.managedFields must be nil");
  }
  const errors = typingErrors(config, schema);
  if (errors.length > 0) {
    const { apiVersion, kind, metadata } = config;
    const what = errors.length === 1 ? errors[0] : `errors:\n${errors.map((error) => `  ${error}`).join("\n")}`;
    throw new PatchError(
      500,
      `failed to create typed patch object (${metadata.namespace ?? ""}/${metadata.name ?? ""}; ${apiVersion}, Kind=${kind}): ${what}`,
    );
  }
};

/** Who owns the live object. Without any record everything belongs to `before-first-apply`. */
const formerOwners = (live: KubeObject, apply: Write): readonly Owner[] => {
  const owners = decodeOwners(live.metadata.managedFields);
  if (owners.length > 0) {
    return owners;
  }
  const all = compare(undefined, live, apply.schema);
  return ownersAfterUpdate([], all, { ...apply, manager: "before-first-apply", subresource: undefined });
};

const withOwners = (object: KubeObject, owners: readonly Owner[]): KubeObject => {
  const { managedFields: _, ...metadata } = object.metadata;
  const entries = encodeOwners(owners);
  return { ...object, metadata: entries.length === 0 ? metadata : { ...metadata, managedFields: entries } };
};
