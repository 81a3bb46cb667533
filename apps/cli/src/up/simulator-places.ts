import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SimulationV1 } from "@capstan/contract/v1";
import { defaultDataFolder, type DataFolder } from "./data-folder.ts";

/** Where a control interface is. */
export interface ControlPlace {
  /** Without a slash at its end. */
  readonly url: string;
  /** PEM certificates to trust there. */
  readonly ca?: string | undefined;
}

const fileName = "simulators.json";

/** Keeps where the control interfaces of the simulated clouds of a data folder are, for other commands. */
export const rememberSimulators = (data: DataFolder, simulations: readonly SimulationV1[]): void => {
  const places = simulations.flatMap(({ control, cloud }): readonly ControlPlace[] =>
    control === undefined ? [] : [{ url: control, ...(cloud.ca !== undefined && { ca: cloud.ca }) }],
  );
  data.writeSecret(fileName, `${JSON.stringify(places)}\n`);
};

/** The control interfaces of the simulated clouds beside a management API: those of its data folder. */
export const rememberedSimulators = (
  { dataDir, kubeconfig }: { readonly dataDir: string | undefined; readonly kubeconfig: string | undefined },
  variables: Readonly<Record<string, string | undefined>>,
): readonly ControlPlace[] => {
  const beside = kubeconfig ?? variables["KUBECONFIG"];
  const folder = dataDir ?? (beside === undefined ? defaultDataFolder(variables) : dirname(resolve(beside)));
  const file = join(folder, fileName);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as readonly ControlPlace[]) : [];
};
