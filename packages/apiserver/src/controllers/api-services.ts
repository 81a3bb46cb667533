import { isDeepStrictEqual } from "node:util";
import { rfc3339 } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { localCondition } from "../builtin/kinds/api-service.ts";
import { listOf, type Part, partOf, specOf, statusOf, textOf } from "../values/object-parts.ts";
import { apiServices, localApiServices, managedLabel } from "../registry/local-api-services.ts";
import type { ExtensionEnvironment, ExtensionFactory } from "../registry/extension.ts";
import { isStatusError } from "../model/status-error.ts";
import { controller } from "./controller.ts";

const services = { group: "", plural: "services" } as const;
/** No webhook may keep the server from telling what it serves. */
const own = { admitted: true } as const;

const serviceOf = (object: KubeObject): { readonly namespace: string; readonly name: string } | undefined => {
  const { service } = specOf(object);
  const { namespace, name } = partOf(service);
  return service === undefined || service === null ? undefined : { namespace: textOf(namespace), name: textOf(name) };
};

const isManaged = ({ metadata }: KubeObject): boolean => metadata.labels?.[managedLabel] !== undefined;

/** Returns whether requests for the version are answered here, and why not. */
const availability = (object: KubeObject, { store }: ExtensionEnvironment): Part => {
  const service = serviceOf(object);
  if (service === undefined) return localCondition;
  const { type } = localCondition;
  const { namespace, name } = service;
  return store.peek(services, service) === undefined
    ? { type, status: "False", reason: "ServiceNotFound", message: `service/${name} in "${namespace}" is not present` }
    : {
        type,
        status: "False",
        reason: "NotPassedOn",
        message: `this server passes no requests on, so none reaches service/${name} in "${namespace}"`,
      };
};

/** The conditions with what is known of availability; the same list when nothing has changed. */
const conditionsOf = (object: KubeObject, environment: ExtensionEnvironment): readonly unknown[] => {
  const conditions = listOf(statusOf(object)["conditions"]);
  const now = availability(object, environment);
  const before = partOf(conditions.find((condition) => partOf(condition)["type"] === "Available"));
  const since = before["status"] === now["status"] ? before["lastTransitionTime"] : undefined;
  const next = { ...now, lastTransitionTime: since ?? rfc3339(environment.clock.now()) };
  return isDeepStrictEqual(before, next)
    ? conditions
    : [...conditions.filter((condition) => partOf(condition)["type"] !== "Available"), next];
};

/**
 * Keeps an APIService for every version that is served here, and says of every other that requests for it are not passed on. Those of
 * built-in versions are there when the server is.
 */
export const apiServiceRegistration = (): ExtensionFactory => (environment) => {
  const { registry, store } = environment;

  const create = async (object: KubeObject): Promise<void> => {
    await store.create(apiServices, object, own).catch((error: unknown) => {
      if (!isStatusError(error, "AlreadyExists")) throw error;
    });
  };

  const reconcile = async (name: string): Promise<void> => {
    const local = localApiServices(registry.snapshot).get(name);
    const found = store.peek(apiServices, { name });
    if (found === undefined) {
      if (local !== undefined) await create(local);
      return;
    }
    if (local === undefined && isManaged(found)) {
      await store.delete(apiServices, { name }, own);
      return;
    }
    const conditions = conditionsOf(found, environment);
    if (conditions === statusOf(found)["conditions"]) return;
    await store.update(apiServices, { ...found, status: { conditions } }, { ...own, subresource: "status" });
  };

  const parts = controller(environment, {
    name: "api-services",
    watch: (add) => [
      store.watch(apiServices, ({ object }) => add(object.metadata.name ?? "")),
      store.watch(services, ({ object: { metadata } }) => {
        for (const object of store.peekAll(apiServices)) {
          const service = serviceOf(object);
          if (service?.name === metadata.name && service?.namespace === metadata.namespace) {
            add(object.metadata.name ?? "");
          }
        }
      }),
      registry.onChange((snapshot) => {
        const known = store.peekAll(apiServices).map(({ metadata }) => metadata.name ?? "");
        for (const name of new Set([...localApiServices(snapshot).keys(), ...known])) add(name);
      }),
    ],
    reconcile,
  });
  return {
    ...parts,
    start: async () => {
      await Promise.all([...localApiServices(registry.snapshot).keys()].map(reconcile));
      await parts.start?.();
    },
  };
};
