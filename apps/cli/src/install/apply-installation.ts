import type { Clock } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import type { Client } from "@capstan/kube";
import { defaultSystemNamespace, type ManagerOptions } from "../cluster/manager-options.ts";
import { installCrds, installDefinition } from "../providers/install-crds.ts";
import { applyManifests } from "../up/apply.ts";
import type { View } from "../view/view.ts";
import { webhookClientConfig, WebhookPath } from "@capstan/runtime/webhook";
import type { KubeObject } from "@capstan/schema";
import { webhookManifests } from "../webhooks/webhook-manifests.ts";
import { webhookCertificate } from "../webhooks/webhook-certificate.ts";
import type { WebhookOptions } from "../webhooks/webhook-options.ts";
import { inventoryDefinition, inventoryOf } from "../providers/clusterctl.ts";
import type { DeploymentOptions } from "./deployment.ts";
import { accountsFor, deploymentsFor, installedLease } from "./manifests.ts";

/** Applies everything that managers of these providers need, and waits until the definitions are served. */
export const applyInstallation = async (
  client: Client,
  providers: readonly ProviderV1[],
  options: Partial<Pick<ManagerOptions, "systemNamespace" | "namespaces" | "watchFilter">> & {
    readonly serviceAccount?: string | undefined;
    readonly webhooks?: WebhookOptions | undefined;
    readonly deployment?: DeploymentOptions | undefined;
    readonly clock: Clock;
    readonly view: View;
    readonly signal: AbortSignal;
  },
): Promise<void> => {
  const { clock, view, signal } = options;
  const systemNamespace = options.systemNamespace ?? defaultSystemNamespace;
  const counts = { created: 0, configured: 0, unchanged: 0 };
  const apply = (objects: readonly KubeObject[]): Promise<void> =>
    applyManifests(
      objects.map((object) => ({ object, source: "capstan install" })),
      {
        client,
        clock,
        signal,
        namespace: systemNamespace,
        onApplied: (_, result) => {
          counts[result] += 1;
        },
      },
    );
  const installed = { ...options, namespaces: options.namespaces ?? [], systemNamespace };
  await apply(accountsFor(providers, installed));
  await installDefinition(inventoryDefinition, { client, clock, signal });
  await apply(inventoryOf(providers, systemNamespace));
  const { webhooks } = options;
  if (webhooks === undefined) await installCrds(providers, { client, clock, signal });
  else {
    const lease = installedLease(providers, installed);
    const { caBundle } = await webhookCertificate(webhooks, { client, clock, systemNamespace, lease })();
    const conversion = webhookClientConfig(webhooks.endpoint, WebhookPath.convert, caBundle);
    await installCrds(providers, { client, clock, signal, conversion });
    await apply(webhookManifests(providers, webhooks, { caBundle, name: lease }));
  }
  await apply(deploymentsFor(installed));
  const applied = counts.created + counts.configured + counts.unchanged;
  const definitions = providers.reduce((sum, { kinds }) => sum + kinds.length, 0);
  view.say({
    type: "installed",
    text: `${definitions} definitions are served; ${applied} objects applied: ${counts.created} created, ${counts.configured} configured, ${counts.unchanged} unchanged`,
    fields: { definitions, ...counts },
  });
};
