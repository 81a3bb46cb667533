import type { Random } from "@capstan/contract";
import type { ObjectKey } from "@capstan/kube-values";
import type { Cause, KubeObject, StructuralSchema } from "@capstan/schema";
import type { ConnectPod, ReadPodLog } from "./pod-access.ts";

/** The verbs of the API, as RBAC and discovery spell them. */
export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";

/** Who makes a request. Every authenticated user is in `system:authenticated`. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Attributes of a request for the authorizer and the admission plugins. */
export interface RequestInfo {
  /** A `Verb` for resources, the lower-case HTTP method otherwise. */
  readonly verb: string;
  readonly path: string;
  readonly isResource: boolean;
  /** The fields below are empty strings when they do not apply. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The path leads through a namespace. That of a Namespace itself does not, though the Namespace counts as its own. */
  readonly isInNamespace?: boolean;
  /** Field selector of a list or watch. */
  readonly fieldSelector?: string;
}

/** Throws a 403 when the user may not do this; answers why it may. */
export type Authorize = (user: User, info: RequestInfo, query: URLSearchParams) => string;

/** The `Status` object of meta/v1, as sent to clients. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
  };
  readonly code?: number;
}

/** A `Cause` of the schema engine fits; other reasons are FieldManagerConflict, NamespaceTerminating, ResourceVersionTooLarge, ... */
export interface StatusCause {
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Names a resource. Without a version the preferred served one is meant. */
export interface ResourceRef {
  readonly group: string;
  readonly version?: string;
  readonly plural: string;
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown; higher ones only in wide output. */
  readonly priority?: number;
  /** Simple JSONPath beginning with `.`, for custom resources. */
  readonly jsonPath?: string;
  /** Computed cell, for built-in kinds; wins over `jsonPath`. `now` in milliseconds. */
  readonly cell?: (object: KubeObject, now: number) => unknown;
}

/** Context of a hook, in addition to the objects. */
export interface HookContext {
  readonly user: User;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly random: Random;
  readonly dryRun: boolean;
  /** Adds a `Warning: 299` header to the answer. */
  warn(message: string): void;
  /** Reads of other objects (stored form), for example the namespace or the Services whose addresses are taken. */
  readonly store: ResourceStore;
}

/**
 * Deviations of one kind from the general behaviour. Every hook is pure: it returns a new object and never changes its arguments
 * (stored objects are deeply frozen).
 */
export interface Strategy {
  /** Form of `metadata.name`. Default `subdomain` (DNS-1123 subdomain); `label` for namespaces and services; `path` for RBAC. */
  readonly nameFormat?: "subdomain" | "label" | "path";
  /** `false`: the client's `metadata.generation` is kept and never counted (ConfigMap, Secret, ...). Default true. */
  readonly generation?: boolean;
  /** A new object may bring its status (Node), although that has an endpoint of its own. Default false. */
  readonly keepsFirstStatus?: boolean;
  /** PUT without resourceVersion is accepted. Default false. */
  readonly unconditionalUpdate?: boolean;
  /** PUT to a missing object creates it. Default false. */
  readonly createOnUpdate?: boolean;
  /** After the general preparation (status dropped, generation set) and before validation. */
  readonly prepareForCreate?: (object: KubeObject, context: HookContext) => KubeObject | Promise<KubeObject>;
  /** After the general preparation (status and server-owned metadata kept from `old`). Main endpoint only. */
  readonly prepareForUpdate?: (object: KubeObject, old: KubeObject, context: HookContext) => KubeObject;
  /**
   * True when something that `prepareForCreate` or `prepareForUpdate` has chosen for the object (an address, a name) has been taken by
   * another user since; the object is prepared again then. Asked immediately before the object is stored.
   */
  readonly isOutrun?: (object: KubeObject, old: KubeObject | undefined, context: HookContext) => boolean;
  /** Validates a new object. Causes become one 422; metadata is validated by the pipeline. */
  readonly validate?: (object: KubeObject, context: HookContext) => readonly Cause[];
  /** Validates every update; `subresource` is empty on the main endpoint. Default: `validate(object)`. */
  readonly validateUpdate?: (
    object: KubeObject,
    old: KubeObject,
    context: HookContext,
    subresource: string,
  ) => readonly Cause[];
  /** In place of `validate` and `validateUpdate`, of an object so large that they would take too long here. `old` is absent for a new one. */
  readonly validateLong?: (
    object: KubeObject,
    old: KubeObject | undefined,
    context: HookContext,
    subresource: string,
  ) => Promise<readonly Cause[]>;
  /** Rules that may take long, asked after the others, which have found these causes. `old` is absent for a new object. */
  readonly validateRules?: (
    object: KubeObject,
    old: KubeObject | undefined,
    found: readonly Cause[],
    context: HookContext,
  ) => Promise<readonly Cause[]>;
  /**
   * Decides how DELETE acts, before finalizers are looked at. `undefined`: the general way. A number: deletionTimestamp is set that
   * many seconds ahead and the object stays (Pods). An object: it is stored instead, and stays (a Namespace becomes Terminating).
   */
  readonly beforeDelete?: (
    object: KubeObject,
    options: DeleteOptions,
    context: HookContext,
  ) => undefined | number | KubeObject;
  /** Called after DELETE has marked an object that stays; the answer waits until it resolves. It does not throw. */
  readonly afterMark?: (object: KubeObject, context: HookContext) => Promise<void>;
  /** True while the object must stay although deletionTimestamp is set and no metadata.finalizers are left (Namespace: spec.finalizers). */
  readonly retains?: (object: KubeObject) => boolean;
}

/** One subresource. */
export interface SubresourceDefinition {
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** Kind of the body when it is not the resource's own, for example autoscaling/v1 Scale. */
  readonly kind?: GroupVersionKind;
  /** Schema of the body when it is not the resource's own. */
  readonly schema?: StructuralSchema;
  readonly behaviour:
    /** Writes take only `status` (and nothing of the metadata) from the body. */
    | { readonly type: "status" }
    | { readonly type: "scale"; readonly scale: ScalePaths }
    /** Writes go to the object itself; `take` builds the new object from the stored one and the body. */
    | {
        readonly type: "part";
        readonly take: (body: KubeObject, stored: KubeObject, context: HookContext) => KubeObject;
      }
    /** Anything else (binding, eviction, token): the answer is computed; a thrown `StatusError` is the answer. */
    | { readonly type: "action"; readonly act: (call: ActionCall) => Promise<KubeObject> }
    /** The client's connection is used for connections to ports of the object (a Pod). */
    | { readonly type: "ports"; readonly connect: ConnectPod }
    /** The answer is what a container of the object (a Pod) has written. */
    | { readonly type: "log"; readonly read: ReadPodLog }
    /** Listed in discovery, answered with 501 NotImplemented and the reason, if there is one. */
    | { readonly type: "absent"; readonly reason?: string };
}

/** Paths as in a CRD: `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
  /** Built-in workloads: the selector of the Scale is computed from `spec.selector`. */
  readonly selectorOf?: (object: KubeObject) => string;
}

export interface ActionCall extends HookContext {
  readonly definition: ResourceDefinition;
  readonly namespace: string;
  readonly name: string;
  readonly verb: Verb;
  /** Decoded and defaulted body; absent for GET. */
  readonly body?: KubeObject;
  readonly query: URLSearchParams;
}

/** Mapping between one served version and the stored objects. */
export interface StorageMapping {
  /**
   * Name of the store, for example `conf.capstan.test/widgets` or `/configmaps`. Definitions with the same store name are versions
   * (or, for Events, groups) of the same objects.
   */
  readonly store: string;
  /** apiVersion in which objects are stored. */
  readonly apiVersion: string;
  /** From the served to the stored version; same order and length. Absent: only apiVersion (and kind) change. */
  readonly toStorage?: (objects: readonly KubeObject[]) => Promise<readonly KubeObject[]>;
  /** From the stored to the served version. Absent: only apiVersion (and kind) change. */
  readonly fromStorage?: (objects: readonly KubeObject[]) => Promise<readonly KubeObject[]>;
  /**
   * Applied to an object as it is read, before `fromStorage`: prunes and defaults by the storage schema. Must return its argument
   * itself when nothing changes, so that the stored text can be sent as it is. Absent: stored objects are served as they are.
   */
  readonly onRead?: (object: KubeObject) => KubeObject;
}

/** Kinds without a store (reviews, APIServices): answers are computed. Only verbs with a function are served. */
export interface VirtualResource {
  readonly create?: (call: ActionCall) => Promise<KubeObject>;
  readonly get?: (call: ActionCall) => Promise<KubeObject | undefined>;
  readonly list?: (call: ActionCall) => Promise<readonly KubeObject[]>;
}

/** One served version of one resource: everything the server knows about a kind. */
export interface ResourceDefinition {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  /** Lower-case plural, as in URLs. */
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /**
   * `custom`: a custom resource (kind and apiVersion required in bodies, wrong types 422, no strategic patch).
   * `builtin`: a wrong type in a body is 400, kind and apiVersion may be absent, strategic patch is served.
   */
  readonly origin: "builtin" | "custom";
  /**
   * Schema of the whole object: properties apiVersion, kind, metadata (the full ObjectMeta schema, `objectMetaSchema` of
   * src/builtin), spec, status, ... Used to prune, default, type, patch, apply and describe (OpenAPI).
   */
  readonly schema: StructuralSchema;
  /** Defaults that a schema cannot say; applied to every decoded body and after mutating admission, after the schema's own defaults. */
  readonly applyDefaults?: (object: KubeObject) => KubeObject;
  readonly subresources: readonly SubresourceDefinition[];
  /**
   * Field selectors besides metadata.name and metadata.namespace: label, for example `spec.nodeName`, to the value as text
   * (missing = "").
   */
  readonly selectableFields: Readonly<Record<string, (object: KubeObject) => string>>;
  /** Without the leading Name column of custom resources; built-in kinds list every column. */
  readonly columns: readonly PrinterColumn[];
  readonly strategy: Strategy;
  readonly storage: StorageMapping;
  readonly virtual?: VirtualResource;
  /** Text of the `Warning: 299` header of every request. */
  readonly deprecationWarning?: string;
  /** OpenAPI schema name, for example `io.k8s.api.core.v1.ConfigMap`; default: reversed group, version, kind. */
  readonly schemaName?: string;
  /** Non-empty: creates are refused with this message (a CRD that is being deleted). */
  readonly closedForCreate?: string;
}

/** All definitions at one moment. Never changes; a new one replaces it. */
export interface RegistrySnapshot {
  /** Counts changes; usable as a cache key. */
  readonly revision: number;
  /** In discovery order: built-in groups in their fixed order, then those of the Kubernetes community by name, then the others; versions by priority; plurals by name. */
  readonly definitions: readonly ResourceDefinition[];
  find(group: string, version: string, plural: string): ResourceDefinition | undefined;
  /** Any served version by kind; for owner references. */
  findKind(group: string, version: string, kind: string): ResourceDefinition | undefined;
  /** Groups in discovery order, each with its versions by priority. */
  readonly groups: readonly { readonly group: string; readonly versions: readonly string[] }[];
  /** The preferred served version of a resource, or the version asked for. */
  resolve(ref: ResourceRef): ResourceDefinition | undefined;
}

/** Which resources are served. */
export interface Registry {
  readonly snapshot: RegistrySnapshot;
  /**
   * Atomically replaces all definitions of one owner (`builtin`, or the name of a CRD); an empty list removes them. Of two definitions
   * of the same group, version and plural the later registered owner's wins.
   */
  replace(owner: string, definitions: readonly ResourceDefinition[]): void;
  /** Called synchronously after each change; returns the function that stops it. */
  onChange(listener: (snapshot: RegistrySnapshot) => void): () => void;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Who writes and how. Internal callers usually give only `user` (default: `system:apiserver` in `system:masters`). */
export interface CallOptions {
  readonly user?: User;
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** The write follows from something that admission has agreed to (an eviction, a binding): it is not asked again. */
  readonly admitted?: boolean;
  readonly warn?: (message: string) => void;
}

export interface ListQuery {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export type PatchBody =
  | { readonly type: "json"; readonly operations: unknown }
  | { readonly type: "merge" | "strategic"; readonly patch: unknown }
  | { readonly type: "apply"; readonly object: unknown; readonly force?: boolean };

/** One change. `object` of a deletion carries the deletion's own resourceVersion; `previous` is absent for a creation. */
export interface StoreEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: KubeObject;
  readonly previous?: KubeObject;
}

/**
 * The API for callers inside the process (controllers, the CRD machinery, hooks): the whole pipeline as over HTTP (defaulting, admission,
 * validation, conflicts, finalizers), without authentication and authorization. Failures are `StatusError`s. Objects are deeply frozen.
 */
export interface ResourceStore {
  get(ref: ResourceRef, key: ObjectKey): Promise<KubeObject>;
  /** As `get`, but `undefined` when the object or the resource is absent. */
  find(ref: ResourceRef, key: ObjectKey): Promise<KubeObject | undefined>;
  list(
    ref: ResourceRef,
    query?: ListQuery,
  ): Promise<{ readonly items: readonly KubeObject[]; readonly resourceVersion: string }>;
  create(ref: ResourceRef, object: KubeObject, options?: CallOptions): Promise<KubeObject>;
  update(
    ref: ResourceRef,
    object: KubeObject,
    options?: CallOptions & { readonly subresource?: string },
  ): Promise<KubeObject>;
  patch(
    ref: ResourceRef,
    key: ObjectKey,
    patch: PatchBody,
    options?: CallOptions & { readonly subresource?: string },
  ): Promise<KubeObject>;
  /** Answers the object while finalizers hold it, `undefined` when it is gone. */
  delete(ref: ResourceRef, key: ObjectKey, options?: CallOptions & DeleteOptions): Promise<KubeObject | undefined>;
  deleteCollection(
    ref: ResourceRef,
    query?: ListQuery,
    options?: CallOptions & DeleteOptions,
  ): Promise<readonly KubeObject[]>;
  /**
   * ADDED for everything there is, then each change, in order, in the stored version, synchronously after it is durable. Works for a
   * resource that is not served (its store is empty until then). Returns the function that stops it. A listener that throws is logged.
   */
  watch(ref: ResourceRef, listener: (event: StoreEvent) => void, query?: ListQuery): () => void;
  /** As `watch`, for every stored resource, also those that appear later; for garbage collection. */
  watchAll(listener: (event: StoreEvent) => void): () => void;
  /** Without pipeline, in the stored version, synchronous: for authorizers and hooks on hot paths. */
  peek(ref: ResourceRef, key: ObjectKey): KubeObject | undefined;
  peekAll(ref: ResourceRef, query?: Pick<ListQuery, "namespace">): readonly KubeObject[];
}
