import type { Clock } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import type { Client } from "@capstan/kube";
import { defaultSystemNamespace, type ManagerOptions } from "../manager/manager-options.ts";
import { installCrds } from "../providers/install-crds.ts";
import { applyManifests } from "../up/apply.ts";
import type { View } from "../view/view.ts";
import { manifestsFor } from "./manifests.ts";

/** Applies everything that managers of these providers need, and waits until the definitions are served. */
export const applyInstallation = async (
  client: Client,
  providers: readonly ProviderV1[],
  options: Pick<ManagerOptions, "systemNamespace" | "namespaces" | "watchFilter"> & {
    readonly serviceAccount?: string | undefined;
    readonly clock: Clock;
    readonly view: View;
    readonly signal: AbortSignal;
  },
): Promise<void> => {
  const { clock, view, signal } = options;
  const systemNamespace = options.systemNamespace ?? defaultSystemNamespace;
  await installCrds(providers, { client, clock, signal });
  const objects = manifestsFor(providers, { ...options, systemNamespace }).filter(
    ({ kind }) => kind !== "CustomResourceDefinition",
  );
  const counts = { created: 0, configured: 0, unchanged: 0 };
  await applyManifests(
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
  const definitions = providers.reduce((sum, { kinds }) => sum + kinds.length, 0);
  view.say({
    type: "installed",
    text: `${definitions} definitions are served; ${objects.length} objects applied: ${counts.created} created, ${counts.configured} configured, ${counts.unchanged} unchanged`,
    fields: { definitions, ...counts },
  });
};
