import type { Client } from "@capstan/kube";
import type { ReconcileContext } from "@capstan/runtime";

/** The client with every call bound to a signal, so that no call outlives its reconcile. */
const boundTo = (client: Client, signal: AbortSignal): Client => ({
  get: (kind, key, options) => client.get(kind, key, { signal, ...options }),
  find: (kind, key, options) => client.find(kind, key, { signal, ...options }),
  list: (kind, options) => client.list(kind, { signal, ...options }),
  create: (kind, object, options) => client.create(kind, object, { signal, ...options }),
  update: (kind, object, options) => client.update(kind, object, { signal, ...options }),
  patch: (kind, key, patch, options) => client.patch(kind, key, patch, { signal, ...options }),
  delete: (kind, key, options) => client.delete(kind, key, { signal, ...options }),
  forward: (pod, port, options) => client.forward(pod, port, { signal, ...options }),
  request: (request) => client.request({ signal, ...request }),
});

/** A reconcile's context whose client stops with the reconcile. */
export const boundContext = (context: ReconcileContext): ReconcileContext => ({
  ...context,
  client: boundTo(context.client, context.signal),
});
