import type { Client } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { SecretBytes } from "../../engine/credentials.ts";

/** A Cluster and the API server it is in. Every `BootstrapContext` is one. */
export interface ClusterAccess {
  readonly client: Client;
  readonly cluster: KubeObject;
  /** Passed on to every call. */
  readonly call: { readonly signal: AbortSignal };
  /** Told of each Secret before it is read: a change of it wakes whoever reads, also while it is missing. */
  readonly watchSecret?: (key: Required<ObjectKey>) => void;
  /**
   * A Secret as it was last seen, read once per version; a change of it wakes the reader, also while it is missing. Default: every read
   * is a request.
   */
  readonly seenSecret?: (key: Required<ObjectKey>) => Promise<SeenSecret | undefined>;
  /** Called with each Secret that was created, so that its contents need not be read. */
  readonly madeSecret?: (secret: KubeObject) => void;
  /** Returns whether the lock of the Cluster is in the cache. Default: always true, so that it is looked up. */
  readonly mayBeLocked?: () => boolean;
}

/** A Secret, and what it contains. */
export interface SeenSecret {
  /** Its metadata and type. */
  readonly secret: KubeObject;
  readonly data: SecretBytes;
}

/** The key of an object beside the Cluster, in its namespace. */
export const besideCluster = ({ cluster }: Pick<ClusterAccess, "cluster">, name: string): Required<ObjectKey> => ({
  namespace: cluster.metadata.namespace ?? "",
  name,
});
