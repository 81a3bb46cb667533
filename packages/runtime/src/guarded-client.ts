import type { Client } from "@capstan/kube";

/** A client that asks before every write; `check` throws where none is allowed. Reads go through. */
export const guardedClient = (client: Client, check: () => void): Client => ({
  get: (resource, key, options) => client.get(resource, key, options),
  find: (resource, key, options) => client.find(resource, key, options),
  list: (resource, options) => client.list(resource, options),
  create: async (resource, object, options) => {
    check();
    return client.create(resource, object, options);
  },
  update: async (resource, object, options) => {
    check();
    return client.update(resource, object, options);
  },
  patch: async (resource, key, patch, options) => {
    check();
    return client.patch(resource, key, patch, options);
  },
  delete: async (resource, key, options) => {
    check();
    return client.delete(resource, key, options);
  },
  forward: (pod, port, options) => client.forward(pod, port, options),
  request: async (request) => {
    if (request.method !== "GET") check();
    return client.request(request);
  },
});
