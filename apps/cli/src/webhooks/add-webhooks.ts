import type { ProviderV1 } from "@capstan/contract/v1";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import type { Manager } from "@capstan/runtime";
import { createWebhookServer, routeKinds, type SecretCertificate } from "@capstan/runtime/webhook";
import { managedLookups, servedKinds } from "./served-kinds.ts";
import type { WebhookOptions } from "./webhook-options.ts";

/** Adds the webhooks of the providers' kinds to a manager; standbys answer too. */
export const addWebhooks = (
  manager: Manager,
  providers: readonly ProviderV1[],
  options: WebhookOptions,
  certificate: () => Promise<SecretCertificate>,
): void => {
  const server = createWebhookServer({
    ...(options.host !== undefined && { host: options.host }),
    port: options.port,
    certificate: async () => (await certificate()).serving,
    clock: manager.clock,
    metrics: manager.metrics,
    log: manager.log,
  });
  // Few objects are asked for, so none of these kinds is kept.
  routeKinds(server, servedKinds(providers, managedLookups(manager.client, manager.cache)));
  manager.addRunnable({
    name: server.name,
    prepare: () => void manager.cache.informer(CustomResourceDefinitionResource),
    run: (run) => server.run(run),
  });
};
