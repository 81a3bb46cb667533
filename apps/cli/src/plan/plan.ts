import type { PlannedResourceV1 } from "@capstan/contract/v1";
import type { KubeObject } from "@capstan/schema";
import type { HeldItem } from "../manifest/held-workers.ts";
import type { Change } from "./changes.ts";

/** Planned change of an object of the management API. */
export interface PlannedObject {
  readonly action: "create" | "change" | "replace" | "delete" | "keep";
  readonly object: KubeObject;
  /** Place in the files; absent for those that follow from others. */
  readonly source?: string;
  /** Number of equal items. */
  readonly count: number;
  readonly changes: readonly Change[];
  /** Why it is replaced, or which of its fields stay as others set them. */
  readonly note?: string;
}

/** Something that is wrong. */
export interface PlanProblem {
  /** File and line, or the object. */
  readonly where: string;
  readonly message: string;
}

/** Result of planning the application of files. */
export interface Plan {
  readonly objects: readonly PlannedObject[];
  /** Which objects are left out, as nothing serves their kinds, and what that means for their clusters. */
  readonly leftOut: string | undefined;
  /** Objects that `capstan up` applied and that are no longer in any file; they stay. */
  readonly leftOver: readonly KubeObject[];
  readonly cloud: readonly PlannedResourceV1[];
  readonly problems: readonly PlanProblem[];
  /** Warnings of the server, such as edits without effect. */
  readonly warnings: readonly PlanProblem[];
  /** Certain failures of valid objects; `capstan up` reports them and continues. */
  readonly failures: readonly PlanProblem[];
  /** Workers in the files that rules of version skew hold, and the checks that an annotation has to name to let them go. */
  readonly held: readonly HeldItem[];
}

/** Returns whether there is something to do. */
export const hasWork = ({ objects, cloud }: Plan): boolean =>
  objects.some(({ action }) => action !== "keep") ||
  cloud.some(({ action, drift }) => action !== "keep" || drift !== undefined);
