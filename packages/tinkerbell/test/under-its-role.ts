import { CapstanError } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import type { Client } from "@capstan/kube";
import type { Manager } from "@capstan/runtime";
import type { Resource } from "@capstan/schema";

const verbs: Readonly<Record<string, string>> = { find: "get", update: "update" };

/** What a controller may do: its verbs, by group and resource. */
export const permitted = ({ permissions }: ControllerV1): ReadonlyMap<string, ReadonlySet<string>> => {
  const all = new Map<string, Set<string>>();
  for (const { group, rarely = {}, resource, verbs: given } of permissions?.own ?? []) {
    const key = `${resource}.${group}`;
    const before = all.get(key) ?? new Set<string>();
    all.set(key, new Set([...before, ...given, ...Object.keys(rarely)]));
  }
  return all;
};

const forbidden = (verb: string, key: string): CapstanError =>
  new CapstanError({
    code: "kube.forbidden",
    reason: "Forbidden",
    message: `the role does not allow ${verb} on ${key}`,
    retry: { kind: "never" },
  });

/** Why no call is answered now, if so. */
export type Outage = (verb: string) => Error | undefined;

/** A client that refuses what is not permitted, as an API server would. */
const limited = (client: Client, allowed: ReadonlyMap<string, ReadonlySet<string>>, outage: Outage): Client =>
  new Proxy(client, {
    get: (of, name: string) => {
      const method = Reflect.get(of, name) as (...given: readonly unknown[]) => unknown;
      return (...given: readonly unknown[]) => {
        const { group, plural } = given[0] as Resource;
        const { subresource } = (given.at(-1) ?? {}) as { readonly subresource?: string };
        const key = `${plural}${subresource === undefined ? "" : `/${subresource}`}.${group}`;
        const verb = verbs[name] ?? name;
        if (allowed.get(key)?.has(verb) !== true) return Promise.reject(forbidden(verb, key));
        const failure = outage(verb);
        return failure === undefined ? method.apply(of, [...given]) : Promise.reject(failure);
      };
    },
  });

/** A controller whose calls go no further than its permissions. */
export const underItsRole = (controller: ControllerV1, outage: Outage): ControllerV1 => ({
  ...controller,
  attach: (manager: Manager) => {
    const client = limited(manager.client, permitted(controller), outage);
    const bound = new Proxy(manager, {
      get: (of, name) => {
        if (name === "client") return client;
        const value = Reflect.get(of, name, of) as unknown;
        return typeof value === "function" ? (value.bind(of) as unknown) : value;
      },
    });
    controller.attach(bound);
  },
});
