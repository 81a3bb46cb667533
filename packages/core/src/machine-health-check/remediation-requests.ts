import { isCapstanError } from "@capstan/contract";
import { ownerReference } from "@capstan/contract/wire";
import { isOwnedBy } from "@capstan/kube";
import { groupOf, keyOf } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import type { TemplateReference } from "../api.ts";
import { Machine } from "../api.ts";
import { clonedKind, cloneTemplate } from "@capstan/kit/machines";
import type { ExternalObjects } from "@capstan/kit/machines";

/** The requests that one template makes: one object a Machine, with the Machine's name. */
export interface RemediationRequests {
  /** Has the Machine a request. `undefined`: no one can tell. */
  has(machine: Machine): boolean | undefined;
  /** Asks for a Machine; throws what the API server answers. */
  ask(machine: Machine): Promise<"asked" | "no-template">;
  /** Takes a request back. */
  withdraw(machine: Machine): Promise<void>;
}

const cloneOf = (template: KubeObject, machine: Machine): KubeObject =>
  cloneTemplate({
    template,
    namespace: machine.metadata.namespace ?? "",
    name: machine.metadata.name ?? "",
    clusterName: machine.spec.clusterName,
    owner: ownerReference(Machine, machine),
  });

interface Kinds {
  readonly templates: Resource;
  readonly requests: Resource;
}

const kindsOf = async (
  context: ReconcileContext,
  externals: ExternalObjects,
  { apiVersion, kind }: TemplateReference,
): Promise<Kinds> => {
  const apiGroup = groupOf(apiVersion);
  const version = apiVersion.slice(apiGroup.length + 1);
  const templates = await externals.versioned(context, { apiGroup, version, kind });
  const requests = await externals.versioned(context, { apiGroup, version, kind: clonedKind(kind) });
  return { templates, requests };
};

const unreadable = (failure: unknown): RemediationRequests => ({
  has: () => undefined,
  ask: () => Promise.reject(failure),
  withdraw: () => Promise.resolve(),
});

/** The requests made from a template. A kind that does not exist is told by every `ask`. */
export const remediationRequests = async (
  context: ReconcileContext,
  externals: ExternalObjects,
  reference: TemplateReference,
): Promise<RemediationRequests> => {
  let kinds: Kinds;
  try {
    kinds = await kindsOf(context, externals, reference);
  } catch (error) {
    context.signal.throwIfAborted();
    return unreadable(error);
  }
  const { templates, requests } = kinds;
  const requestOf = (machine: Machine): KubeObject | undefined => {
    const found = context.cache.get(requests, keyOf(machine));
    return found !== undefined && isOwnedBy(found, machine) ? found : undefined;
  };
  return {
    has: (machine) => requestOf(machine) !== undefined,
    ask: async (machine) => {
      const { namespace = "" } = machine.metadata;
      const template = context.cache.get(templates, { namespace, name: reference.name });
      if (template === undefined) return "no-template";
      try {
        await context.client.create(requests, cloneOf(template, machine));
      } catch (error) {
        // An answer was lost, or the cache is old.
        const existing = isCapstanError(error, "kube.already_exists")
          ? await context.client.find(requests, keyOf(machine))
          : undefined;
        if (existing === undefined || !isOwnedBy(existing, machine)) throw error;
      }
      return "asked";
    },
    withdraw: async (machine) => {
      const request = requestOf(machine);
      if (request === undefined || request.metadata.deletionTimestamp !== undefined) return;
      const { uid } = request.metadata;
      await context.client.delete(requests, keyOf(request), uid === undefined ? {} : { preconditions: { uid } });
    },
  };
};
