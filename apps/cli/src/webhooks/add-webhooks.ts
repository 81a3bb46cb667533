import { CapstanError } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import type { ReferenceAdmission } from "@capstan/kit/admission";
import type { HealthCheck, Manager } from "@capstan/runtime";
import { createWebhookServer, routeKinds, type SecretCertificate } from "@capstan/runtime/webhook";
import { managedLookups, servedKinds } from "./served-kinds.ts";
import { askersAt, readConfigurations, readConversions } from "./webhook-clients.ts";
import type { WebhookOptions } from "./webhook-options.ts";

/** Timeout for a look at the configurations: probes do not wait longer. */
const lookMs = 4_000;

/**
 * Adds the webhooks of the providers' kinds to a manager; standbys answer too. Returns the check of readiness: it rejects with
 * `manager.webhooks_not_trusted` while no configuration in place trusts what is served, and says which do not where others do: were it not
 * ready then, those would reach no one either.
 */
export const addWebhooks = (
  manager: Manager,
  providers: readonly ProviderV1[],
  options: WebhookOptions,
  certificate: () => Promise<SecretCertificate>,
  references: ReferenceAdmission | undefined,
): HealthCheck => {
  let served: SecretCertificate | undefined;
  const server = createWebhookServer({
    ...(options.host !== undefined && { host: options.host }),
    port: options.port,
    certificate: async () => {
      served = await certificate();
      // Whoever asks for no health is told by the log.
      void check().catch(() => undefined);
      return served.serving;
    },
    clock: manager.clock,
    metrics: manager.metrics,
    log: manager.log,
  });
  // Few objects are asked for, so none of these kinds is kept.
  routeKinds(server, servedKinds(providers, managedLookups(manager.client, manager.cache, references)));
  manager.addRunnable({
    name: server.name,
    prepare: () => void manager.cache.informer(CustomResourceDefinitionResource),
    run: (run) => server.run(run),
    started: async () => server.started?.(),
  });
  const conversions = readConversions(manager.client, manager.cache, convertedKinds(providers));
  const untrusted = manager.metrics.gauge(
    "capstan_webhooks_untrusted",
    "Webhook configurations and CRDs that do not trust the served certificate.",
  );
  let said = "";
  const check = async (): Promise<string | void> => {
    if (served === undefined) throw notServing();
    const call = { timeoutMs: lookMs };
    const users = [...(await readConfigurations(manager.client, call)), ...(await conversions(call))];
    const askers = askersAt(users, options.endpoint, served.serving.certificate);
    const found = askers.flatMap(({ trusts, what }) => (trusts ? [] : [what]));
    untrusted.set(found.length);
    const text = found.join(", ");
    if (text !== "" && text !== said) manager.log.error("webhooks are not trusted", { error: notTrusted(found) });
    said = text;
    if (found.length === 0) return undefined;
    if (found.length === askers.length) throw notTrusted(found);
    return notTrusted(found).message;
  };
  return check;
};

/** The definitions of kinds that are converted. */
const convertedKinds = (providers: readonly ProviderV1[]): readonly string[] =>
  providers.flatMap(({ webhooks = [] }) =>
    webhooks.flatMap(({ kind, convert }) => (convert === undefined ? [] : [`${kind.plural}.${kind.group}`])),
  );

const notServing = (): CapstanError =>
  new CapstanError({
    code: "manager.webhooks_not_serving",
    reason: "WebhooksNotServing",
    message: "the webhooks have no certificate yet",
  });

const notTrusted = (users: readonly string[]): CapstanError =>
  new CapstanError({
    code: "manager.webhooks_not_trusted",
    reason: "WebhooksNotTrusted",
    message: `the caBundle of ${users.join(", ")} lacks the authority of the served certificate, so the API server rejects those writes; rerun capstan install with the same flags, or delete obsolete configurations`,
  });
