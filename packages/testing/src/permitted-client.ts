import { CapstanError } from "@capstan/contract";
import type { WorkloadAccount } from "@capstan/kit/workload";
import type { Client } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import type { Resource } from "@capstan/schema";

interface Asked {
  readonly group: string;
  /** Plural, with a subresource behind a slash. */
  readonly resource: string;
  readonly verb: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

const isPermitted = ({ permissions }: WorkloadAccount, asked: Asked): boolean =>
  permissions.some(
    ({ group, names, namespace, resource, verbs }) =>
      group === asked.group &&
      resource === asked.resource &&
      (verbs as readonly string[]).includes(asked.verb) &&
      (namespace === undefined || namespace === asked.namespace) &&
      (names === undefined || (asked.name !== undefined && names.includes(asked.name))),
  );

const subresourcePath = /^\/api\/v1\/namespaces\/([^/]+)\/([a-z]+)\/([^/]+)\/([a-z]+)$/;

/**
 * A client that refuses, with `kube.forbidden`, what an account of workload clusters may not do. For stand-ins of workload clusters whose
 * users have all rights. Other requests than those for kinds are refused, except POST to a subresource of the core group.
 */
export const permittedClient = (client: Client, account: WorkloadAccount): Client => {
  const ask = (asked: Asked): void => {
    if (isPermitted(account, asked)) return;
    const message = `${asked.verb} ${asked.resource} ${asked.namespace ?? ""}/${asked.name ?? ""} is no permission of ${account.name}`;
    throw new CapstanError({ code: "kube.forbidden", reason: "Forbidden", message });
  };
  const on = (verb: string, { group, plural }: Resource, key: Partial<ObjectKey>, subresource?: string): void =>
    ask({ group, resource: subresource === undefined ? plural : `${plural}/${subresource}`, verb, ...key });
  return {
    get: async (kind, key, options) => {
      on("get", kind, key);
      return client.get(kind, key, options);
    },
    find: async (kind, key, options) => {
      on("get", kind, key);
      return client.find(kind, key, options);
    },
    list: async (kind, options) => {
      on("list", kind, options?.namespace === undefined ? {} : { namespace: options.namespace });
      return client.list(kind, options);
    },
    create: async (kind, object, options) => {
      const { namespace } = object.metadata;
      on("create", kind, namespace === undefined ? {} : { namespace });
      return client.create(kind, object, options);
    },
    update: async (kind, object, options) => {
      const { name = "", namespace } = object.metadata;
      on("update", kind, { name, ...(namespace !== undefined && { namespace }) }, options?.subresource);
      return client.update(kind, object, options);
    },
    patch: async (kind, key, patch, options) => {
      on("patch", kind, key, options?.subresource);
      return client.patch(kind, key, patch, options);
    },
    delete: async (kind, key, options) => {
      on("delete", kind, key);
      return client.delete(kind, key, options);
    },
    forward: async (pod, port, options) => {
      ask({ group: "", resource: "pods/portforward", verb: "create", ...pod });
      return client.forward(pod, port, options);
    },
    request: async (request) => {
      const [, namespace, plural = "", name, subresource = ""] = subresourcePath.exec(request.path) ?? [];
      const verb = request.method === "POST" ? "create" : request.method;
      ask({ group: "", resource: `${plural}/${subresource}`, verb, namespace, name });
      return client.request(request);
    },
  };
};
