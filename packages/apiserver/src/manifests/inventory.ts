import type { Logger } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import type { ResourceStore } from "../model/types.ts";

/** What was applied, so that it is known when it is no longer in the manifests. */
export interface InventoryEntry {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

const inventoryKey = { namespace: "kube-system", name: "capstan-manifests" } as const;

const configMaps = { group: "", plural: "configmaps" } as const;

/** Without the version: an object is the same in every one. */
export const entryKey = ({ apiVersion, kind, namespace, name }: InventoryEntry): string =>
  [apiVersion.includes("/") ? apiVersion.split("/")[0] : "", kind, namespace, name].join(" ");

const isEntry = (value: unknown): value is InventoryEntry =>
  ["apiVersion", "kind", "namespace", "name"].every(
    (part) => typeof (value as Readonly<Record<string, unknown>> | null)?.[part] === "string",
  );

const parsed = (text: string): readonly InventoryEntry[] | undefined => {
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) && entries.every(isEntry) ? entries : undefined;
  } catch {
    return undefined;
  }
};

/**
 * What the last run of this or a former process applied. A text that cannot be read counts as nothing, and is logged: then nothing that
 * was applied before is removed.
 */
export const readInventory = async (
  store: Pick<ResourceStore, "find">,
  log: Logger,
): Promise<readonly InventoryEntry[]> => {
  const stored = await store.find(configMaps, inventoryKey);
  if (stored === undefined) return [];
  const text = (stored["data"] as { readonly objects?: string } | undefined)?.objects;
  const entries = text === undefined ? undefined : parsed(text);
  if (entries === undefined) {
    const { namespace, name } = inventoryKey;
    const message =
      "the list of applied objects cannot be read; what it named and the manifests no longer hold stays, delete that by hand";
    log.warn(message, { kind: "ConfigMap", namespace, name, field: "data.objects" });
  }
  return entries ?? [];
};

export const inventoryObject = (entries: readonly InventoryEntry[]): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: inventoryKey,
  data: { objects: JSON.stringify(entries) },
});

export const writeInventory = async (
  store: ResourceStore,
  entries: readonly InventoryEntry[],
  fieldManager: string,
): Promise<void> => {
  const patch = { type: "apply", object: inventoryObject(entries), force: true } as const;
  await store.patch(configMaps, inventoryKey, patch, { fieldManager });
};
