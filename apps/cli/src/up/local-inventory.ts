import type { Clock } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { NamespaceResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { defaultSystemNamespace } from "../cluster/manager-options.ts";
import { InventoryResource, inventoryDefinition, inventoryOf } from "../providers/clusterctl.ts";
import { installationManager, installDefinitions } from "../providers/install-crds.ts";
import { applyManifests } from "./apply.ts";

/** Says to clusterctl which providers run here, so that it moves clusters to and from this API server. */
export const keepInventory = async (
  client: Client,
  providers: readonly ProviderV1[],
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> => {
  const namespace = defaultSystemNamespace;
  const entries = inventoryOf(providers, namespace);
  await installDefinitions([inventoryDefinition], { client, clock, signal });
  const system = { apiVersion: NamespaceResource.version, kind: NamespaceResource.kind, metadata: { name: namespace } };
  await applyManifests(
    [system, ...entries].map((object) => ({ object, source: "capstan up" })),
    { client, clock, signal, namespace, fieldManager: installationManager },
  );
  // Of providers that ran here before.
  const wanted = new Set(entries.map(({ metadata }) => metadata.name));
  for (const { metadata } of (await client.list(InventoryResource, { namespace, signal })).items) {
    const { name = "" } = metadata;
    if (!wanted.has(name)) await client.delete(InventoryResource, { namespace, name }, { signal });
  }
};
