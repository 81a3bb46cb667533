import type { BootstrapData } from "@capstan/contract/v1";

/** State of a server's bootstrapping. */
export type BootstrapReport =
  /** It continues. `startedAt`: milliseconds since the epoch, where the channel knows. Default: when it was first seen. */
  | { readonly state: "running"; readonly startedAt?: number }
  /** The bootstrap provider's sentinel file was written. */
  | { readonly state: "succeeded" }
  /** It ended without. `log`: the end of its log, as it is; what is shown of it is redacted. Default cause: what the log says. */
  | { readonly state: "failed"; readonly cause?: string; readonly log?: string }
  /** It has not ended in the time that it has. `cause`: where more is known than that. `log`: as above, so far. */
  | { readonly state: "timedOut"; readonly cause?: string; readonly log?: string };

/** Input of a channel that makes the machine report. */
export interface ReportPlace {
  /**
   * Signs a URL by which the machine PUTs its report once, with the headers, into the object store of the cluster, where `uploaded` of the
   * reading context finds it. `undefined` when the cluster names no object store. Throws `objectstore.*`.
   */
  readonly upload:
    | (() => Promise<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }>)
    | undefined;
}

/** Bootstrap data with what makes the machine report, or why it cannot carry that. */
export type PreparedData = { readonly bytes: Uint8Array } | { readonly unavailable: string };

/** One way by which an infrastructure learns how bootstrapping ended. A machine has one: the first of the list that it can have. */
export interface ReportChannel<Context> {
  /** In logs, and in the annotation by which users choose another one than the first. */
  readonly name: string;
  /** Returns whether this machine can have it. Default: every machine can; those of channels that prepare data, if theirs was prepared. */
  readonly isAvailable?: (context: Context) => boolean;
  /** The message when the time is over without a report. Default: the server has not reported. `wait`: for example `20 min`. */
  readonly silence?: (wait: string) => string;
  /** Called before bootstrap data is delivered, for channels that need the machine's help. A failure costs the report, not the machine. */
  readonly prepare?: (data: BootstrapData, place: ReportPlace) => Promise<PreparedData>;
  /** Returns the current result; `undefined` if there is none. A failure changes nothing: the channel is polled again. */
  readonly read: (context: Context) => Promise<BootstrapReport | undefined>;
}
