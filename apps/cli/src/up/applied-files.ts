import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { ConfigMapResource } from "@capstan/contract/wire";
import type { ManifestObject } from "@capstan/apiserver";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { isElsewhere, type ManifestFile } from "../manifest/read-manifests.ts";
import { upFieldManager } from "./apply.ts";
import { applySetId, extended, extentIn, nowhere, parentMetadata, type SetExtent } from "./apply-set.ts";

/** Kept in the management API itself, so that it is as old as the objects that it speaks of, also after a restore. The parent of their ApplySet. */
export const appliedFilesKey = { namespace: "kube-system", name: "capstan-up-applied-files" };

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

const placeOf = ({ source }: ManifestFile): string => (isElsewhere(source) ? source : resolve(source));

/** Hashes what a file declares; the values of variables count, comments do not. */
const contentOf = ({ objects }: ManifestFile): string => hashOf(JSON.stringify(objects.map(({ object }) => object)));

/** Which files were applied, and with what in them. */
export interface AppliedFiles {
  /** The ApplySet of what is in them. */
  readonly set: { readonly id: string; readonly extent: SetExtent };
  /** Makes the set hold objects that are about to be applied, so that none is lost when the process dies then. */
  announce(objects: readonly ManifestObject[], namespace: string): Promise<void>;
  /** Makes the set hold these objects alone, once all others are deleted. */
  settle(objects: readonly ManifestObject[], namespace: string): Promise<void>;
  /** Returns whether a file says what it said when it was applied last. */
  isApplied(file: ManifestFile): boolean;
  /** Remembers files that were just applied. */
  remember(files: readonly ManifestFile[]): Promise<void>;
}

interface Call {
  readonly signal: AbortSignal;
}

export const readAppliedFiles = async (client: Client, call: Call): Promise<AppliedFiles> => {
  const found = await client.find<KubeObject>(ConfigMapResource, appliedFilesKey, call);
  const data = new Map(Object.entries((found?.["data"] ?? {}) as Readonly<Record<string, string>>));
  let extent = extentIn(found);
  const write = async (): Promise<void> => {
    const metadata = parentMetadata(appliedFilesKey, extent);
    const body = { apiVersion: "v1", kind: ConfigMapResource.kind, metadata, data: Object.fromEntries(data) };
    await client.patch(
      ConfigMapResource,
      appliedFilesKey,
      { type: "apply", body, force: true },
      { fieldManager: upFieldManager, ...call },
    );
  };
  return {
    get set() {
      return { id: applySetId(appliedFilesKey), extent };
    },
    announce: async (objects, namespace) => {
      const next = extended(extent, objects, namespace);
      if (next.groupKinds.size === extent.groupKinds.size && next.namespaces.size === extent.namespaces.size) return;
      extent = next;
      await write();
    },
    settle: async (objects, namespace) => {
      const next = extended(nowhere, objects, namespace);
      if (next.groupKinds.size === extent.groupKinds.size && next.namespaces.size === extent.namespaces.size) return;
      extent = next;
      await write();
    },
    isApplied: (file) => data.get(hashOf(placeOf(file))) === contentOf(file),
    remember: async (files) => {
      if (files.length === 0) return;
      for (const file of files) data.set(hashOf(placeOf(file)), contentOf(file));
      await write();
    },
  };
};
