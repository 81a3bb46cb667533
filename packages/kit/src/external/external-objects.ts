import type { ContractReference, ContractVersion } from "@capstan/contract/wire";
import { chooseContract, crdNameFor, CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { CapstanError } from "@capstan/contract";
import type { Clock } from "@capstan/contract";
import type { Cache, Informer } from "@capstan/kube";
import { groupOf } from "@capstan/kube-values";
import type { Environment, Request, RequestSink, Source } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { resource } from "@capstan/schema";
import { ExternalErrorCode } from "./error-codes.ts";

/** A kind of some provider, and the contract through which it is read. */
export interface ExternalKind {
  readonly resource: Resource;
  readonly contract: ContractVersion;
}

/** A provider's object as it stands in the cache. */
export interface ExternalObject extends ExternalKind {
  readonly object: KubeObject;
}

/** Index of every provider kind that is watched: objects by the uids of their owners. */
export const ownerUidIndex = "kit/owner-uid";

/** Returns the keys of an object in that index. */
export const ownerUids = (object: KubeObject): readonly string[] =>
  (object.metadata.ownerReferences ?? []).map(({ uid }) => uid);

/** Time that a reconcile waits for the first list of a kind before it is requeued. */
const syncTimeoutMs = 5000;

/** Provider kinds known by reference only. As a source it wakes the owners of what changed. */
export interface ExternalObjects extends Source {
  /**
   * The API version and contract of a kind, from the labels of its CRD. The kind is watched from then on. Throws
   * `external.kind_missing`, `wire.contract_unknown`, `external.kind_not_synced`.
   */
  kind(
    context: { readonly cache: Cache; readonly clock: Clock; readonly signal: AbortSignal },
    reference: Pick<ContractReference, "apiGroup" | "kind">,
  ): Promise<ExternalKind>;
  /** A kind in a version that the referrer chose itself. Watched and throwing as with `kind`; its contract is not asked for. */
  versioned(
    context: { readonly cache: Cache; readonly clock: Clock; readonly signal: AbortSignal },
    reference: Pick<ContractReference, "apiGroup" | "kind"> & { readonly version: string },
  ): Promise<Resource>;
  /** The object a reference names, in the referrer's namespace; `undefined` when it does not exist. */
  find(
    context: { readonly cache: Cache; readonly clock: Clock; readonly signal: AbortSignal },
    reference: ContractReference,
    namespace: string | undefined,
  ): Promise<ExternalObject | undefined>;
}

type KindReference = Pick<ContractReference, "apiGroup" | "kind">;

/** The CRD of a kind, and the plural that follows from its name. */
const definitionOf = (cache: Cache, { apiGroup, kind }: KindReference) => {
  const crdName = crdNameFor(apiGroup, kind);
  const crd = cache.informer(CustomResourceDefinitionResource).get({ name: crdName });
  if (crd === undefined) {
    throw new CapstanError({
      code: ExternalErrorCode.kindMissing,
      reason: "ExternalKindMissing",
      message: `${kind} of ${apiGroup} is not installed: CustomResourceDefinition ${crdName} not found; install the provider or correct the reference`,
    });
  }
  return { crdName, crd, plural: crdName.slice(0, crdName.indexOf(".")) };
};

const resolve = (cache: Cache, { apiGroup, kind }: KindReference): ExternalKind => {
  const { crdName, crd, plural } = definitionOf(cache, { apiGroup, kind });
  const { contract, version } = chooseContract(crdName, crd.metadata.labels ?? {});
  return { contract, resource: resource({ group: apiGroup, version, kind, plural }) };
};

/** Waits for the first list of a kind, but not for long. */
const synced = async (informer: Informer, clock: Clock, signal: AbortSignal): Promise<void> => {
  if (informer.synced) return;
  const waiting = new AbortController();
  const either = AbortSignal.any([signal, waiting.signal]);
  const cancel = clock.schedule(syncTimeoutMs, () => {
    waiting.abort(
      new CapstanError({
        code: ExternalErrorCode.kindNotSynced,
        reason: "ExternalKindNotSynced",
        message: `${informer.resource.kind} of ${informer.resource.group}/${informer.resource.version} could not be listed within ${syncTimeoutMs} ms; check that its API version is served and RBAC allows reading it`,
      }),
    );
  });
  try {
    await informer.waitForSync({ signal: either });
  } finally {
    cancel();
  }
};

const itself = (request: Request): readonly Request[] => [request];

type Sink = (request: Request, options: { readonly priority?: number }) => void;

/** The owners of a kind that an object names. */
const ownersOf = ({ metadata }: KubeObject, owner: Pick<Resource, "group" | "kind">): readonly Request[] =>
  (metadata.ownerReferences ?? [])
    .filter(({ kind, apiVersion }) => kind === owner.kind && groupOf(apiVersion) === owner.group)
    .map(({ name }) => ({ namespace: metadata.namespace ?? "", name }));

/** One informer for each kind that is asked for, whose objects are passed on until `stopped` is aborted. */
const kindWatches = (
  pass: (object: KubeObject, initial: boolean) => void,
  stopped: () => AbortSignal | undefined,
): ((cache: Cache, kind: Resource) => Informer) => {
  const watched = new Map<string, Informer>();
  return (cache, kind) => {
    const key = `${kind.plural}.${kind.group}/${kind.version}`;
    const present = watched.get(key);
    if (present !== undefined) return present;
    const informer = cache.informer(kind);
    informer.addIndex(ownerUidIndex, ownerUids);
    watched.set(key, informer);
    const unsubscribe = informer.subscribe((event) => {
      pass(event.object, event.type !== "deleted" && event.initial);
    });
    stopped()?.addEventListener("abort", unsubscribe, { once: true });
    return informer;
  };
};

/**
 * Wakes owners of the kind `owner` when a provider's object changes; or those to whom `wakes` passes that on. `also`:
 * additional objects to wake.
 */
export const externalObjects = (
  owner: Pick<Resource, "group" | "kind">,
  wakes: (owner: Request, environment: Environment) => readonly Request[] = itself,
  also: (object: KubeObject, environment: Environment) => readonly Request[] = () => [],
): ExternalObjects => {
  let sink: Sink | undefined;
  let others: (object: KubeObject) => readonly Request[] = () => [];
  let stopped: AbortSignal | undefined;
  const watch = kindWatches(
    (object, initial) => {
      const options = initial ? { priority: initialPriority } : {};
      for (const request of [...ownersOf(object, owner), ...others(object)]) sink?.(request, options);
    },
    () => stopped,
  );

  const kind: ExternalObjects["kind"] = async ({ cache, clock, signal }, reference) => {
    const external = resolve(cache, reference);
    await synced(watch(cache, external.resource), clock, signal);
    return external;
  };

  return {
    prepare: ({ cache }) => {
      cache.informer(CustomResourceDefinitionResource);
    },
    start: (queue: RequestSink, environment, { signal }) => {
      sink = (request, options) => {
        for (const woken of wakes(request, environment)) queue.add(woken, options);
      };
      others = (object) => also(object, environment);
      stopped = signal;
    },
    kind,
    versioned: async ({ cache, clock, signal }, reference) => {
      const { plural } = definitionOf(cache, reference);
      const chosen = resource({ group: reference.apiGroup, version: reference.version, kind: reference.kind, plural });
      await synced(watch(cache, chosen), clock, signal);
      return chosen;
    },
    find: async (context, reference, namespace) => {
      const external = await kind(context, reference);
      const key = { ...(namespace === undefined ? {} : { namespace }), name: reference.name };
      const object = context.cache.get(external.resource, key);
      return object === undefined ? undefined : { ...external, object };
    },
  };
};

/** Priority of requests that come from a first list: behind everything that really happened. */
const initialPriority = -100;
