import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { ConfigMapResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { isElsewhere, type ManifestFile } from "../manifest/read-manifests.ts";
import { upFieldManager } from "./apply.ts";

/** Kept in the management API itself, so that it is as old as the objects that it speaks of, also after a restore. */
export const appliedFilesKey = { namespace: "kube-system", name: "capstan-up-applied-files" };

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

const placeOf = ({ source }: ManifestFile): string => (isElsewhere(source) ? source : resolve(source));

/** What a file declares; the values of variables count, comments do not. */
const contentOf = ({ objects }: ManifestFile): string => hashOf(JSON.stringify(objects.map(({ object }) => object)));

/** Which files were applied, and with what in them. */
export interface AppliedFiles {
  /** Whether a file says what it said when it was applied last. */
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
  return {
    isApplied: (file) => data.get(hashOf(placeOf(file))) === contentOf(file),
    remember: async (files) => {
      if (files.length === 0) return;
      for (const file of files) data.set(hashOf(placeOf(file)), contentOf(file));
      const { apiVersion, kind } = { apiVersion: "v1", kind: ConfigMapResource.kind };
      const body = { apiVersion, kind, metadata: appliedFilesKey, data: Object.fromEntries(data) };
      await client.patch(
        ConfigMapResource,
        appliedFilesKey,
        { type: "apply", body, force: true },
        { fieldManager: upFieldManager, ...call },
      );
    },
  };
};
