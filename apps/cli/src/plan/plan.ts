import type { PlannedResourceV1 } from "@capstan/contract/v1";
import type { KubeObject } from "@capstan/schema";
import type { Change } from "./changes.ts";

/** What becomes of an object of the management API. */
export interface PlannedObject {
  readonly action: "create" | "change" | "replace" | "delete" | "keep";
  readonly object: KubeObject;
  /** Place in the files; absent for those that follow from others. */
  readonly source?: string;
  /** How many alike. */
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

/** What applying files would do. */
export interface Plan {
  readonly objects: readonly PlannedObject[];
  /** Objects that `capstan up` applied and that are no longer in any file; they stay. */
  readonly leftOver: readonly KubeObject[];
  readonly cloud: readonly PlannedResourceV1[];
  readonly problems: readonly PlanProblem[];
}

/** Whether there is something to do. */
export const hasWork = ({ objects, cloud }: Plan): boolean =>
  objects.some(({ action }) => action !== "keep") ||
  cloud.some(({ action, drift }) => action !== "keep" || drift !== undefined);
