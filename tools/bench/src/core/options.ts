import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseDurationMs } from "@capstan/kube-values";
import { count } from "../count.ts";

/** Size of a run: clusters, and workers in each in addition to its control-plane Machine. */
export interface Shape {
  readonly clusters: number;
  readonly workers: number;
}

/** Options of every bench that measures managers. */
export interface MeasureOptions {
  readonly server: "embedded" | "kube";
  /** Measure upstream's managers too. */
  readonly beside: boolean;
  /** Capstan runs from what `npm run build` has made, as users run it, and not from sources. */
  readonly built: boolean;
  /** Folder for CPU profiles of Capstan's manager. */
  readonly profile: string | undefined;
  /** Time that all Machines may take to be Running, and again to be gone, in milliseconds. */
  readonly timeoutMs: number;
  /** Without a write for this long, the start is over; and so long after the last Machine is Running, all has been written. */
  readonly quietMs: number;
  /** Time that a settled system is watched, in milliseconds; 0: not at all. */
  readonly settledMs: number;
  /** Folder with kubectl, and kube-apiserver and etcd when those are wanted. */
  readonly kubeAssets: string;
  /** Folder with upstream's managers. */
  readonly capiAssets: string;
}

export interface CoreOptions extends MeasureOptions {
  readonly shapes: readonly Shape[];
}

export const machinesOf = ({ clusters, workers }: Shape): number => clusters * (workers + 1);

const duration = (flag: string, text: string): number => {
  const ms = parseDurationMs(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new Error(`--${flag} ${text}: give a duration such as 90s, 3m or 1h`);
};

const folder = (name: string, why: string, environment: NodeJS.ProcessEnv): string => {
  const value = environment[name] ?? "";
  if (value === "") throw new Error(`${why} needs ${name}: see tools/kube-assets/README.md`);
  return value;
};

/** Flags of every bench that measures managers. */
export const measureFlags = {
  server: { type: "string", default: "embedded" },
  beside: { type: "boolean", default: false },
  built: { type: "boolean", default: false },
  profile: { type: "string" },
  timeout: { type: "string", default: "30m" },
  settle: { type: "string", default: "1m" },
} as const;

/** Values of `measureFlags`. */
export interface MeasureValues {
  readonly server: string;
  readonly beside: boolean;
  readonly built: boolean;
  readonly profile?: string | undefined;
  readonly timeout: string;
  readonly settle: string;
}

/** Reads the values of `measureFlags`. Throws when one cannot be read, or a folder that is needed has no name. */
export const measureOptions = (
  { server, beside, built, profile, timeout, settle }: MeasureValues,
  environment: NodeJS.ProcessEnv,
): MeasureOptions => {
  if (server !== "embedded" && server !== "kube") throw new Error(`--server ${server}: give embedded or kube`);
  return {
    server,
    beside,
    built,
    profile: profile === undefined ? undefined : resolve(profile),
    quietMs: 5000,
    timeoutMs: duration("timeout", timeout),
    settledMs: duration("settle", settle),
    kubeAssets:
      beside || server === "kube"
        ? folder("KUBEBUILDER_ASSETS", beside ? "--beside" : "--server kube", environment)
        : "",
    capiAssets: beside ? folder("CAPI_ASSETS", "--beside", environment) : "",
  };
};

/** Reads the arguments after `core`. */
export const readOptions = (args: readonly string[], environment: NodeJS.ProcessEnv): CoreOptions => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { clusters: { type: "string" }, workers: { type: "string", default: "9" }, ...measureFlags },
  });
  const sizes = positionals.length === 0 && values.clusters === undefined ? ["100"] : positionals;
  return {
    shapes: [
      ...sizes.map((size) => ({ clusters: 1, workers: count("workers", size) })),
      ...(values.clusters === undefined
        ? []
        : [{ clusters: count("clusters", values.clusters), workers: count("workers", values.workers) }]),
    ],
    ...measureOptions(values, environment),
  };
};
