import { parseArgs } from "node:util";
import { measureFlags, type MeasureOptions, measureOptions } from "../core/options.ts";
import { count } from "../count.ts";

export interface ControlPlaneOptions extends MeasureOptions {
  /** The number of clusters that are made at once. */
  readonly clusters: number;
  /** Machines of each control plane. */
  readonly members: number;
}

/** Reads the arguments after `control-plane`. */
export const readControlPlaneOptions = (
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): ControlPlaneOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      clusters: { type: "string", default: "50" },
      members: { type: "string", default: "3" },
      ...measureFlags,
    },
  });
  const members = count("members", values.members);
  if (members % 2 === 0) throw new Error(`--members ${members}: etcd takes odd numbers`);
  return { clusters: count("clusters", values.clusters), members, ...measureOptions(values, environment) };
};
