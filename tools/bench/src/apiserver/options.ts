import { parseArgs } from "node:util";
import { parseDurationMs } from "@capstan/kube-values";

export interface Options {
  readonly storage: "memory" | "sqlite";
  /** Folder with `etcd` and `kube-apiserver`; without it only the embedded server is measured. */
  readonly baseline: string | undefined;
  readonly rounds: number;
  /** Scales the number of operations; 1 is the full size. */
  readonly scale: number;
  /** Objects in the collection that is listed, and in the one that is deleted. */
  readonly objects: number;
  /** Only measurements whose name matches. */
  readonly only: RegExp;
  /** Folder for a CPU profile of the embedded server. */
  readonly profile: string | undefined;
  /** The embedded server runs from what `npm run build` has made, as users run it, and not from sources. */
  readonly built: boolean;
  /** Beside the embedded server another one that writes an audit log (metadata of every request), instead of a real one. */
  readonly audit: boolean;
  /** Churn for this long instead of measuring speed. */
  readonly soakSeconds: number | undefined;
  /** True to measure how long single requests stop the event loop, instead of speed. */
  readonly stops: boolean;
  /** The time that the watches of one user keep another waiting, instead of speed. */
  readonly crowd: boolean;
}

const seconds = (text: string): number => {
  const ms = parseDurationMs(text);
  if (ms === undefined) {
    throw new Error(`--soak ${text}: give a duration such as 90s, 3m or 1h`);
  }
  return ms / 1000;
};

/** Reads the arguments after `apiserver`. */
export const readOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      storage: { type: "string", default: "sqlite" },
      baseline: { type: "string" },
      rounds: { type: "string" },
      only: { type: "string", default: "" },
      profile: { type: "string" },
      soak: { type: "string" },
      stops: { type: "boolean", default: false },
      crowd: { type: "boolean", default: false },
      built: { type: "boolean", default: false },
      audit: { type: "boolean", default: false },
    },
  });
  if (values.storage !== "memory" && values.storage !== "sqlite") {
    throw new Error(`--storage ${values.storage}: give memory or sqlite`);
  }
  return {
    storage: values.storage,
    baseline: values.baseline ?? process.env["KUBEBUILDER_ASSETS"],
    rounds: Number(values.rounds ?? (values.quick ? 2 : 3)),
    scale: values.quick ? 0.25 : 1,
    objects: values.quick ? 2_000 : 10_000,
    only: new RegExp(values.only),
    profile: values.profile,
    built: values.built,
    audit: values.audit,
    stops: values.stops,
    crowd: values.crowd,
    soakSeconds: values.soak === undefined ? undefined : seconds(values.soak),
  };
};
