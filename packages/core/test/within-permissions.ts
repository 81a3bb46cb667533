import { CapstanError } from "@capstan/contract";
import type { ControllerV1, PermissionV1 } from "@capstan/contract/v1";
import type { Cache, Client } from "@capstan/kube";
import type { Manager } from "@capstan/runtime";
import type { Resource } from "@capstan/schema";

type Kind = Pick<Resource, "group" | "plural">;

/** All verbs of a permission, those that only some runs use among them. */
const allows = (permissions: readonly PermissionV1[], verb: string, resource: string, group: string): boolean =>
  permissions.some(
    (each) =>
      each.group === group &&
      each.resource === resource &&
      ((each.verbs as readonly string[]).includes(verb) || verb in (each.rarely ?? {})),
  );

/** Throws where the verb is not permitted. */
type Ask = (verb: string, kind: Kind, subresource?: string) => void;

const permittedClient = (client: Client, ask: Ask): Client => ({
  get: async (kind, ...rest) => {
    ask("get", kind);
    return client.get(kind, ...rest);
  },
  find: async (kind, ...rest) => {
    ask("get", kind);
    return client.find(kind, ...rest);
  },
  list: async (kind, ...rest) => {
    ask("list", kind);
    return client.list(kind, ...rest);
  },
  create: async (kind, ...rest) => {
    ask("create", kind);
    return client.create(kind, ...rest);
  },
  update: async (kind, object, options) => {
    ask("update", kind, options?.subresource);
    return client.update(kind, object, options);
  },
  patch: async (kind, key, patch, options) => {
    ask("patch", kind, options?.subresource);
    return client.patch(kind, key, patch, options);
  },
  delete: async (kind, ...rest) => {
    ask("delete", kind);
    return client.delete(kind, ...rest);
  },
  forward: async (...args) => client.forward(...args),
  request: async (request) => client.request(request),
});

const permittedCache = (cache: Cache, ask: Ask): Cache => ({
  informer: (kind, options) => {
    ask("watch", kind);
    return cache.informer(kind, options);
  },
  get: (kind, key) => {
    ask("watch", kind);
    return cache.get(kind, key);
  },
  list: (kind, options) => {
    ask("watch", kind);
    return cache.list(kind, options);
  },
  byIndex: (kind, name, value) => {
    ask("watch", kind);
    return cache.byIndex(kind, name, value);
  },
  start: (options) => cache.start(options),
});

/**
 * The controller with a client, a cache and Events that refuse what is not among its own permissions, or in `others`: what is permitted on
 * the kinds of providers. A refusal is told to `refused` too.
 */
export const withinPermissions = (
  controller: ControllerV1,
  others: readonly PermissionV1[],
  refused: (what: string) => void,
): ControllerV1 => {
  const permissions = [...(controller.permissions?.own ?? []), ...others];
  const ask: Ask = (verb, { group, plural }, subresource) => {
    const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
    if (allows(permissions, verb, resource, group)) return;
    const message = `${verb} ${resource}.${group} is no permission of controller ${controller.name}`;
    refused(message);
    throw new CapstanError({ code: "kube.forbidden", reason: "Forbidden", message });
  };
  return {
    ...controller,
    attach: (manager: Manager, place) => {
      const within: Manager = {
        ...manager,
        client: permittedClient(manager.client, ask),
        cache: permittedCache(manager.cache, ask),
        events: {
          event: (...args) => {
            ask("create", { group: "", plural: "events" });
            manager.events.event(...args);
          },
          flush: () => manager.events.flush(),
        },
      };
      controller.attach(within, place);
    },
  };
};
