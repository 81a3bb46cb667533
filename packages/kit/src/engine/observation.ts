import type { ConditionInput } from "@capstan/contract/wire";
import type { CloudTags } from "./installation.ts";

/** Conditions of an author in addition to those of its role. */
interface Remarks {
  readonly conditions?: readonly ConditionInput[];
}

/** Facts about what an object stands for. */
export interface ObjectFacts extends Remarks {
  /** Its identifier at the cloud. Default: the tag of the object's identity. */
  readonly handle?: string;
  /**
   * The tags that it has, as texts or by key: by `Identity.epoch` among them it is known which installation manages it. With an inventory
   * they are known without.
   */
  readonly tags?: CloudTags;
  /** Merged into the object's status. */
  readonly status?: Readonly<Record<string, unknown>>;
  /** Merged into the object's spec, for ids that upstream keeps there. */
  readonly spec?: Readonly<Record<string, unknown>>;
  /** Merged into the object's annotations, for what its status cannot keep, since that does not move with it; `null` takes one away. */
  readonly annotations?: Readonly<Record<string, string | null>>;
}

/** Progress of something that proceeds without the controller. */
export interface Progress {
  /** 0 to 100. Shown in quarters, so that it costs few writes. */
  readonly percent?: number;
  /** Milliseconds since the epoch, where the outside world knows when the stage began. Default: when it was first seen. */
  readonly startedAt?: number;
}

/**
 * It does not exist. With `step`, that has to be done before it is made. With a reason it cannot be made yet, for example because there
 * is nothing free to take: look again after `pollMs`.
 */
export interface Absent extends Remarks {
  readonly state: "absent";
  readonly step?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly pollMs?: number;
}

/** It exists and something has to happen: by itself (look again after `pollMs`), or by us (`step`, run at once). */
export interface Pending extends Progress {
  readonly state: "pending";
  readonly reason: string;
  readonly message?: string;
  readonly pollMs?: number;
  readonly step?: string;
}

/** It is as it should be; with `step`, something about it still has to be put right. */
export interface Present {
  readonly state: "present";
  readonly pollMs?: number;
  readonly step?: string;
}

/** It exists and will not become what it should be without a user: reason and message say why. With `step`, that is done all the same. */
export interface Failed {
  readonly state: "failed";
  readonly reason: string;
  readonly message: string;
  readonly pollMs?: number;
  readonly step?: string;
}

/**
 * It is on its way out: by itself (a reason and a message say what that takes, for example wiping disks; look again after `pollMs`), or by
 * us (`step`, run at once). It is the only state whose step is run while the object is being deleted; `remove` is not called then.
 */
export interface Removing extends Progress {
  readonly state: "removing";
  readonly reason?: string;
  readonly message?: string;
  readonly pollMs?: number;
  readonly step?: string;
  /** Nothing is left, and after the step no one can look for it: it is run once no request without an answer can take effect any more. */
  readonly isLast?: boolean;
}

/** The observed state of an existing resource. */
export type Seen<Facts extends object = ObjectFacts> = (Pending | Present | Failed | Removing) & Facts;

/** Outcomes of `observe`: expected outcomes are values, failures are thrown. */
export type Observation<Facts extends object = ObjectFacts> = Absent | Seen<Facts>;

type Parts<Facts extends object, State> = Omit<State, "state"> & Facts;

/** Constructors of observations for facts of one shape. */
export const observations = <Facts extends object = ObjectFacts>() => ({
  absent: (parts: Omit<Absent, "state"> = {}): Observation<Facts> => ({ state: "absent", ...parts }),
  pending: (parts: Parts<Facts, Pending>): Observation<Facts> => ({ state: "pending", ...parts }),
  present: (parts: Parts<Facts, Present>): Observation<Facts> => ({ state: "present", ...parts }),
  failed: (parts: Parts<Facts, Failed>): Observation<Facts> => ({ state: "failed", ...parts }),
  removing: (parts: Parts<Facts, Removing>): Observation<Facts> => ({ state: "removing", ...parts }),
});
