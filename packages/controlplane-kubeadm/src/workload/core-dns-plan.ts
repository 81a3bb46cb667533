import { dnsUpgradeProblem } from "./core-dns-version.ts";
import { migrateCorefile } from "./migrate-corefile.ts";

/** The state of CoreDNS in a workload cluster. */
export interface CoreDnsState {
  /** The tag of the image that runs. */
  readonly tag: string;
  readonly wantedTag: string;
  /** The image is the wanted one, repository included. */
  readonly isWanted: boolean;
  readonly corefile: string;
  /** The copy of the Corefile that was written before it was changed. */
  readonly backup: string | undefined;
  /** The key of the ConfigMap that the Deployment mounts as its Corefile; `undefined` when it mounts none of the two. */
  readonly reads: "corefile" | "backup" | undefined;
}

/** The next write that brings CoreDNS to its image. Servers of the old image read the old Corefile at any time. */
export type CoreDnsStep =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly why: string }
  /** Copies the Corefile in its ConfigMap. */
  | { readonly kind: "backUp"; readonly backup: string }
  /** Lets the Deployment mount the copy. */
  | { readonly kind: "readBackup" }
  | { readonly kind: "writeCorefile"; readonly corefile: string }
  /** Gives the Deployment its image, and its Corefile back. */
  | { readonly kind: "update" };

const refused = (why: string): CoreDnsStep => ({ kind: "refused", why });

/** Returns the next step: after a crash at any point, what is left of them follows. */
export const planCoreDns = (state: CoreDnsState): CoreDnsStep => {
  const { backup, corefile, isWanted, reads, tag, wantedTag } = state;
  if (isWanted) return { kind: reads === "backup" ? "update" : "done" };
  const problem = dnsUpgradeProblem(tag, wantedTag);
  if (problem !== undefined) return refused(problem);
  const current = reads === "backup" ? backup : corefile;
  if (current === undefined) return refused("its Deployment mounts Corefile-backup, which does not exist");
  const migrated = migrateCorefile(current, tag, wantedTag);
  if (typeof migrated !== "string") {
    return refused(`its Corefile cannot be changed for ${wantedTag}: ${migrated.problem}`);
  }
  if (reads === "backup") {
    return corefile === migrated ? { kind: "update" } : { kind: "writeCorefile", corefile: migrated };
  }
  if (migrated === corefile) return { kind: "update" };
  if (reads === undefined) {
    return refused("its Corefile has to change, and the Deployment does not mount it by the volume config-volume");
  }
  return backup === corefile ? { kind: "readBackup" } : { kind: "backUp", backup: corefile };
};
