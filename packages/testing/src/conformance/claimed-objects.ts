import type { MergePatch } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import type { CorePart } from "./core-part.ts";

/** Kubernetes objects of which every object under test claims one. */
export interface ClaimedObjects {
  readonly kind: Resource;
  /** One that is free. */
  readonly body: (key: ObjectKey) => KubeObject;
  /** The patch by which another user takes one. */
  readonly taken: MergePatch;
}

/** Makes objects to claim, where there are such; default three, as in every namespace. */
export const offer = async (
  client: Client,
  core: CorePart,
  claims: ClaimedObjects | undefined,
  names: readonly string[] = ["a", "b", "c"],
): Promise<void> => {
  if (claims === undefined) return;
  for (const name of names) await client.create(claims.kind, claims.body(core.key(name)));
};
