import type { Clock } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import type { Client } from "@capstan/kube";
import { defaultSystemNamespace, type ManagerOptions } from "../manager/manager-options.ts";
import { installCrds } from "../providers/install-crds.ts";
import { applyManifests } from "../up/apply.ts";
import type { View } from "../view/view.ts";
import { webhookClientConfig, WebhookPath } from "@capstan/runtime/webhook";
import type { KubeObject } from "@capstan/schema";
import { leaseName } from "../manager/lease-name.ts";
import { isConverted } from "../webhooks/served-kinds.ts";
import { webhookManifests } from "../webhooks/webhook-manifests.ts";
import { webhookCertificate, type WebhookOptions } from "../webhooks/webhook-options.ts";
import { manifestsFor } from "./manifests.ts";

/** Applies everything that managers of these providers need, and waits until the definitions are served. */
export const applyInstallation = async (
  client: Client,
  providers: readonly ProviderV1[],
  options: Pick<ManagerOptions, "systemNamespace" | "namespaces" | "watchFilter"> & {
    readonly serviceAccount?: string | undefined;
    readonly webhooks?: WebhookOptions | undefined;
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
  const objects = manifestsFor(providers, { ...options, systemNamespace });
  await apply(objects.filter(({ kind }) => kind !== "CustomResourceDefinition"));
  const { webhooks } = options;
  if (webhooks === undefined) await installCrds(providers, { client, clock, signal });
  else {
    const lease = leaseName(
      providers.map(({ name }) => name),
      options,
    );
    const { caBundle } = await webhookCertificate(webhooks, { client, clock, systemNamespace, lease })();
    const conversion = webhookClientConfig(webhooks.endpoint, WebhookPath.convert, caBundle);
    await installCrds(providers, { client, clock, signal, canConvert: isConverted, conversion });
    await apply(webhookManifests(providers, webhooks, { caBundle, name: lease }));
  }
  const applied = counts.created + counts.configured + counts.unchanged;
  const definitions = providers.reduce((sum, { kinds }) => sum + kinds.length, 0);
  view.say({
    type: "installed",
    text: `${definitions} definitions are served; ${applied} objects applied: ${counts.created} created, ${counts.configured} configured, ${counts.unchanged} unchanged`,
    fields: { definitions, ...counts },
  });
};
