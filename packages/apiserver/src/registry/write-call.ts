import { type Clock, type Random, rfc3339 } from "@capstan/contract";
import type { Collection } from "../storage/collection.ts";
import type { ObjectStorage } from "../storage/object-storage.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./extension.ts";
import type { HookContext, ResourceDefinition, ResourceStore, User } from "../model/types.ts";
import type { Writer } from "./write-steps.ts";

/** What every write works with; one per server. */
export interface WriteEnvironment {
  readonly storage: ObjectStorage;
  readonly clock: Clock;
  readonly random: Random;
  readonly admission: readonly AdmissionPlugin[];
  /** For the hooks of strategies. */
  readonly store: ResourceStore;
}

/** One write request. */
export interface WriteCall {
  readonly definition: ResourceDefinition;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly user: User;
  /** Throws a 403 when the user may change objects of the kind but not create them; absent for internal callers. */
  readonly authorizeCreate?: () => void;
  readonly dryRun: boolean;
  /** Its body is so short that it makes no object large. Default: it may be long. */
  readonly isShort?: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  readonly warn: (message: string) => void;
  /** Adds an annotation to the audit event; absent when none is written. */
  readonly annotate?: (key: string, value: string) => void;
  /** As the client gave them, for admission. */
  readonly options: Readonly<Record<string, unknown>>;
}

export const collectionOf = (environment: WriteEnvironment, definition: ResourceDefinition): Collection =>
  environment.storage.collection(definition.storage.store);

export const hookContext = (environment: WriteEnvironment, call: WriteCall): HookContext => ({
  user: call.user,
  now: environment.clock.now(),
  random: environment.random,
  dryRun: call.dryRun,
  warn: call.warn,
  store: environment.store,
});

export const admissionRequest = (
  call: WriteCall,
  about: Pick<AdmissionRequest, "operation" | "name"> &
    Partial<Pick<AdmissionRequest, "object" | "oldObject" | "subresource">>,
): AdmissionRequest => ({
  subresource: "",
  definition: call.definition,
  namespace: call.namespace,
  user: call.user,
  dryRun: call.dryRun,
  options: call.options,
  warn: call.warn,
  ...(call.annotate === undefined ? {} : { annotate: call.annotate }),
  ...about,
});

/** Who writes, for `managedFields`. */
export const writerOf = (environment: WriteEnvironment, call: WriteCall, subresource: string): Writer => ({
  manager: call.fieldManager,
  time: rfc3339(environment.clock.now()),
  subresource,
});
