import type { Open } from "./api.ts";

/** A lock that protects a resource from deletion. */
export interface Lock {
  readonly id: number;
  /** With `..._with_subresources` also what belongs to it. */
  readonly lock_type: Open<"cannot_delete" | "cannot_delete_with_subresources">;
  readonly entity: {
    readonly id: number | string;
    readonly type: Open<"linode" | "nodebalancer" | "volume">;
    readonly label: string | null;
    readonly url: string;
  };
}

export interface CreateLock {
  readonly entity_id: number;
  readonly entity_type: string;
  readonly lock_type: "cannot_delete" | "cannot_delete_with_subresources";
}
