import { CapstanError, type Clock } from "@capstan/contract";
import { countNoun } from "@capstan/kube-values";
import type { Resource } from "@capstan/schema";
import type { Backup, BackupEntry } from "./backup-file.ts";

export interface RestoreOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * Treatment of objects that already exist, except those that every server creates: `refuse` writes nothing at all,
   * `keep` leaves them, `replace` overwrites them, including those that every server creates (only where no controller
   * runs).
   */
  readonly existing: "refuse" | "keep" | "replace";
  /** Controllers may run: Clusters stay paused until everything is there. */
  readonly live: boolean;
  /** Kinds whose marks of references into other namespaces are carried over to the key of the target. Default: none. */
  readonly kinds?: readonly Resource[];
  /** Default: true where the server can. False gives every object a new uid. */
  readonly keepUids?: boolean;
}

/** Result of a restore. */
export interface Restored {
  readonly created: number;
  readonly replaced: number;
  readonly kept: number;
  /** Number of objects skipped because the target creates them itself. */
  readonly skipped: number;
  readonly keptUids: boolean;
  readonly warnings: readonly string[];
}

/** Objects at the target, by `nameOf`. */
export type Present = ReadonlyMap<string, { readonly uid: string }>;

/** Objects to restore, in order, and their target. */
export interface RestorePlan {
  readonly backup: Backup;
  readonly entries: readonly BackupEntry[];
  readonly present: Present;
}

export type Outcome = Pick<Restored, "created" | "replaced" | "kept" | "warnings">;

/** Some objects were not taken; the others are there. */
export const refused = (lines: readonly string[]): CapstanError =>
  new CapstanError({
    code: "restore.refused",
    reason: "RestoreRefused",
    message: [
      `${countNoun(lines.length, "object was", "objects were")} rejected; the others are restored. Fix the causes and rerun with --merge`,
      ...lines,
    ].join("\n  "),
    retry: { kind: "never" },
  });
