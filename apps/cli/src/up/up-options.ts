/** What `capstan up` was asked to do. */
export interface UpOptions {
  /** Files, folders or `-`. */
  readonly files: readonly string[];
  /** Simulated clouds: names, packages or paths. */
  readonly simulate: readonly string[];
  /** Files with what simulated clouds begin with, by their names. */
  readonly seeds: Readonly<Record<string, string>>;
  readonly dataDir: string;
  readonly inMemory: boolean;
  /** Port of the management API; 0: the one used last, or any free one. */
  readonly port: number;
  /** The providers to run: names, packages or paths. */
  readonly providers: readonly string[];
  /** Object stores for large bootstrap data: names, packages or paths. */
  readonly objectStores: readonly string[];
  readonly until: "running" | undefined;
  /** For `until`, in milliseconds. */
  readonly timeoutMs: number;
  readonly output: "text" | "json";
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Namespace of objects that name none. */
  readonly namespace: string;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Reads a duration such as `90s`, `5m` or `1h30m` as milliseconds; `undefined` when it is none. */
export const parseDuration = (text: string): number | undefined => {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount = "0", , unit = "s"] of text.matchAll(/(\d+(\.\d+)?)(ms|s|m|h)/g)) {
    total += Number(amount) * (units[unit] ?? 0);
  }
  return total > 0 ? total : undefined;
};
