import { CapstanError } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { type Command, InvalidArgumentError, Option } from "commander";
import { everyKind, type ManagerOptions } from "./manager-options.ts";
import { bootstrapTimeoutOption, duration, logLevelOption } from "../flag-values.ts";
import { durationText } from "../options/option-value.ts";

type Concurrency = ManagerOptions["concurrency"];

/** Pace of managers and their election, also of those that `capstan install` deploys. */
export type Tuning = Pick<
  ManagerOptions,
  | "bootstrapTimeoutMs"
  | "concurrency"
  | "leaderElectName"
  | "leaseDurationMs"
  | "logLevel"
  | "renewDeadlineMs"
  | "retryPeriodMs"
  | "syncPeriodMs"
>;

/** Parsed flags of `withTuningFlags`. */
export interface TuningFlags {
  readonly concurrency?: Concurrency;
  readonly syncPeriod: number;
  readonly bootstrapTimeout?: number;
  readonly leaderElectName?: string;
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  readonly logLevel: ManagerOptions["logLevel"];
}

const defaults = {
  syncPeriodMs: 600_000,
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
  logLevel: "info",
} as const;

const concurrency = (value: string, before: Concurrency | undefined): Concurrency => {
  const [, kind = everyKind, number] = /^(?:([A-Za-z]+)=)?([1-9]\d{0,5})$/.exec(value) ?? [];
  if (number !== undefined) return { ...before, [kind]: Number(number) };
  throw new InvalidArgumentError("must be KIND=N such as Machine=100, or N for every kind.");
};

const time = (flags: string, what: string, ms: number): Option =>
  new Option(flags, what).argParser(duration).default(ms, durationText(ms));

/** Adds the flags of `Tuning`. */
export const withTuningFlags = (command: Command): Command =>
  command
    .option(
      "--concurrency <[kind=]n>",
      "concurrent reconciles of a kind, such as Machine=100, or of every kind; may be repeated",
      concurrency,
    )
    .addOption(time("--sync-period <duration>", "resync interval of every object", defaults.syncPeriodMs))
    .addOption(bootstrapTimeoutOption())
    .option("--leader-elect-name <name>", "name of a single Lease, instead of one per provider")
    .addOption(time("--lease-duration <duration>", "time others wait for a silent leader", defaults.leaseDurationMs))
    .addOption(
      time(
        "--renew-deadline <duration>",
        "time after which a leader that cannot renew exits",
        defaults.renewDeadlineMs,
      ),
    )
    .addOption(time("--retry-period <duration>", "time between attempts", defaults.retryPeriodMs))
    .addOption(logLevelOption(defaults.logLevel));

export const tuningOf = (flags: TuningFlags): Tuning => ({
  concurrency: flags.concurrency ?? {},
  syncPeriodMs: flags.syncPeriod,
  bootstrapTimeoutMs: flags.bootstrapTimeout,
  leaderElectName: flags.leaderElectName,
  leaseDurationMs: flags.leaseDuration,
  renewDeadlineMs: flags.renewDeadline,
  retryPeriodMs: flags.retryPeriod,
  logLevel: flags.logLevel,
});

const timeWords = (flag: string, ms: number | undefined, usual?: number): readonly string[] =>
  ms === undefined || ms === usual ? [] : [`${flag}=${durationText(ms)}`];

/** Words of a command line that say the same; defaults are left out. */
export const tuningWords = (tuning: Tuning): readonly string[] => [
  ...Object.entries(tuning.concurrency).map(([kind, number]) =>
    kind === everyKind ? `--concurrency=${number}` : `--concurrency=${kind}=${number}`,
  ),
  ...timeWords("--sync-period", tuning.syncPeriodMs, defaults.syncPeriodMs),
  ...timeWords("--bootstrap-timeout", tuning.bootstrapTimeoutMs),
  ...(tuning.leaderElectName === undefined ? [] : [`--leader-elect-name=${tuning.leaderElectName}`]),
  ...timeWords("--lease-duration", tuning.leaseDurationMs, defaults.leaseDurationMs),
  ...timeWords("--renew-deadline", tuning.renewDeadlineMs, defaults.renewDeadlineMs),
  ...timeWords("--retry-period", tuning.retryPeriodMs, defaults.retryPeriodMs),
  ...(tuning.logLevel === defaults.logLevel ? [] : [`--log-level=${tuning.logLevel}`]),
];

/** Throws `manager.kind_unknown` where `--concurrency` names a kind that none of the providers has. */
export const checkConcurrency = (tuning: Pick<Tuning, "concurrency">, providers: readonly ProviderV1[]): void => {
  const kinds = providers.flatMap((provider) => provider.kinds.map(({ kind }) => kind));
  const unknown = Object.keys(tuning.concurrency).find((kind) => kind !== everyKind && !kinds.includes(kind));
  if (unknown === undefined) return;
  throw new CapstanError({
    code: "manager.kind_unknown",
    reason: "KindUnknown",
    message: `--concurrency ${unknown}: these providers have no such kind; known: ${kinds.join(", ")}`,
    retry: { kind: "never" },
  });
};

/** Throws `manager.flags_conflict` where the times of an election do not go together. */
export const checkTimes = ({ leaseDurationMs, renewDeadlineMs, retryPeriodMs }: Tuning): void => {
  if (leaseDurationMs > renewDeadlineMs && renewDeadlineMs > retryPeriodMs) return;
  throw new CapstanError({
    code: "manager.flags_conflict",
    reason: "FlagsConflict",
    message: "--lease-duration must be longer than --renew-deadline, which must be longer than --retry-period",
    retry: { kind: "never" },
  });
};
