import { rfc3339 } from "@capstan/contract";
import { byText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { isDeepStrictEqual } from "node:util";
import { qualifiedResource } from "../model/status-error.ts";
import type { ExtensionEnvironment, ExtensionFactory } from "../registry/extension.ts";
import type { ResourceDefinition } from "../model/types.ts";
import { controller } from "./controller.ts";
import { refOf } from "./object-ref.ts";

const namespaces = { group: "", plural: "namespaces" } as const;
const kubernetes = "kubernetes";

interface Condition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

/** Objects of one resource that are left in a namespace. */
interface Remains {
  readonly resource: string;
  readonly objects: readonly KubeObject[];
}

const isTerminating = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

/** One definition for every store of namespaced objects. */
const namespacedKinds = ({ registry }: ExtensionEnvironment): readonly ResourceDefinition[] => {
  const stores = new Map<string, ResourceDefinition>();
  for (const definition of registry.snapshot.definitions) {
    const isDeletable =
      definition.namespaced && definition.virtual === undefined && definition.verbs.includes("delete");
    if (isDeletable && !stores.has(definition.storage.store)) stores.set(definition.storage.store, definition);
  }
  return [...stores.values()];
};

const counted = (counts: ReadonlyMap<string, number>, word: (name: string, count: number) => string): string =>
  [...counts]
    .sort(([left], [right]) => byText(left, right))
    .map(([name, count]) => word(name, count))
    .join(", ");

const contentCondition = (remains: readonly Remains[]): Condition => {
  if (remains.length === 0) {
    return {
      type: "NamespaceContentRemaining",
      status: "False",
      reason: "ContentRemoved",
      message: "All content successfully removed",
    };
  }
  const counts = new Map(remains.map(({ resource, objects }) => [resource, objects.length]));
  const message = `Some resources are remaining: ${counted(counts, (name, count) => `${name} has ${count} resource instances`)}`;
  return { type: "NamespaceContentRemaining", status: "True", reason: "SomeResourcesRemain", message };
};

const finalizerCondition = (remains: readonly Remains[]): Condition => {
  const counts = new Map<string, number>();
  for (const { objects } of remains) {
    for (const { metadata } of objects) {
      for (const finalizer of metadata.finalizers ?? []) counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
    }
  }
  const type = "NamespaceFinalizersRemaining";
  if (counts.size === 0) {
    return {
      type,
      status: "False",
      reason: "ContentHasNoFinalizers",
      message: "All content-preserving finalizers finished",
    };
  }
  const list = counted(counts, (name, count) => `${name} in ${count} resource instances`);
  const message = `Some content in the namespace has finalizers remaining: ${list}`;
  return { type, status: "True", reason: "SomeFinalizersRemain", message };
};

/** The conditions of a namespace that is being emptied. `failure` is why something could not be deleted. */
const conditionsOf = (remains: readonly Remains[], failure: string | undefined): readonly Condition[] => [
  {
    type: "NamespaceDeletionDiscoveryFailure",
    status: "False",
    reason: "ResourcesDiscovered",
    message: "All resources successfully discovered",
  },
  {
    type: "NamespaceDeletionGroupVersionParsingFailure",
    status: "False",
    reason: "ParsedGroupVersions",
    message: "All legacy kube types successfully parsed",
  },
  failure === undefined
    ? {
        type: "NamespaceDeletionContentFailure",
        status: "False",
        reason: "ContentDeleted",
        message: "All content successfully deleted, may be waiting on finalization",
      }
    : {
        type: "NamespaceDeletionContentFailure",
        status: "True",
        reason: "ContentDeletionFailed",
        message: `Failed to delete all resource types, 1 remaining: ${failure}`,
      },
  contentCondition(remains),
  finalizerCondition(remains),
];

/** The conditions with the times of those that did not change. */
const timed = (conditions: readonly Condition[], before: readonly Condition[], time: string): readonly Condition[] =>
  conditions.map((condition) => {
    const old = before.find(({ type }) => type === condition.type);
    return {
      lastTransitionTime: old?.status === condition.status ? (old.lastTransitionTime ?? time) : time,
      ...condition,
    };
  });

/** Returns the objects that are left in a namespace, by resource. */
const remainsOf = (environment: ExtensionEnvironment, name: string): readonly Remains[] =>
  namespacedKinds(environment).flatMap((definition) => {
    const objects = environment.store.peekAll(refOf(definition), { namespace: name });
    return objects.length === 0 ? [] : [{ resource: qualifiedResource(definition), objects }];
  });

const empty = async (environment: ExtensionEnvironment, name: string): Promise<void> => {
  const { store } = environment;
  for (const definition of namespacedKinds(environment)) {
    const ref = refOf(definition);
    const pending = store.peekAll(ref, { namespace: name }).filter((object) => !isTerminating(object));
    if (pending.length > 0) await store.deleteCollection(ref, { namespace: name });
  }
};

/** Empties namespaces that are deleted, says in their status what is left, and lets them go. */
export const namespaceController: ExtensionFactory = (environment) => {
  const { store, clock } = environment;

  const report = async (namespace: KubeObject, remains: readonly Remains[], failure?: string): Promise<void> => {
    const status = namespace["status"] as { readonly conditions?: readonly Condition[] } | undefined;
    const conditions = timed(conditionsOf(remains, failure), status?.conditions ?? [], rfc3339(clock.now()));
    if (isDeepStrictEqual(conditions, status?.conditions)) return;
    await store.update(namespaces, { ...namespace, status: { ...status, conditions } }, { subresource: "status" });
  };

  const finalize = async (namespace: KubeObject): Promise<void> => {
    const spec = namespace["spec"] as { readonly finalizers?: readonly string[] } | undefined;
    const finalizers = spec?.finalizers ?? [];
    if (!finalizers.includes(kubernetes)) return;
    const rest = finalizers.filter((finalizer) => finalizer !== kubernetes);
    await store.update(namespaces, { ...namespace, spec: { ...spec, finalizers: rest } }, { subresource: "finalize" });
  };

  const reconcile = async (name: string): Promise<void> => {
    const found = store.peek(namespaces, { name });
    if (found === undefined || !isTerminating(found)) return;
    let failure: unknown;
    await empty(environment, name).catch((error: unknown) => {
      failure = error;
    });
    const namespace = store.peek(namespaces, { name });
    if (namespace === undefined) return;
    const remains = remainsOf(environment, name);
    if (failure === undefined && remains.length === 0) {
      await finalize(namespace);
      return;
    }
    await report(namespace, remains, failure instanceof Error ? failure.message : undefined);
    if (failure !== undefined) throw failure;
  };

  return controller(environment, {
    name: "namespace",
    watch: (add) => [
      store.watch(namespaces, ({ object }) => {
        if (isTerminating(object)) add(object.metadata.name!);
      }),
      store.watchAll(({ type, object }) => {
        const { namespace } = object.metadata;
        if (type === "DELETED" && namespace !== undefined) add(namespace);
      }),
    ],
    reconcile,
  });
};
