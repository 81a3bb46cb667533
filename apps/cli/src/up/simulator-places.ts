import { dirname, join, resolve } from "node:path";
import { Secret } from "@capstan/contract";
import type { SimulatedCloudV1, SimulationV1 } from "@capstan/contract/v1";
import { namedKubeconfigs } from "../cluster/kubeconfig-files.ts";
import { defaultDataFolder, type DataFolder } from "./data-folder.ts";
import { readStored } from "./read-stored.ts";

/** Where a control interface is. */
export interface ControlPlace {
  /** Without a slash at its end. */
  readonly url: string;
  /** PEM certificates to trust there. */
  readonly ca?: string | undefined;
}

/** A simulated cloud that another process runs. */
export type RememberedCloud = Pick<SimulationV1, "name" | "variables" | "cloud"> & { readonly control?: string };

/** The same as it stands in the file. */
interface StoredCloud extends Omit<RememberedCloud, "cloud"> {
  readonly cloud: Omit<SimulatedCloudV1, "token"> & { readonly token?: string };
}

const fileName = "simulators.json";

/** Keeps where the simulated clouds of a data folder are, for other commands. */
export const rememberSimulators = (data: DataFolder, simulations: readonly SimulationV1[]): void => {
  const stored = simulations.map(({ name, variables, control, cloud: { token, ...cloud } }): StoredCloud => ({
    name,
    variables,
    cloud: { ...cloud, ...(token !== undefined && { token: token.reveal() }) },
    ...(control !== undefined && { control }),
  }));
  data.writeSecret(fileName, `${JSON.stringify(stored)}\n`);
};

/** The simulated clouds that ran last with a data folder. Throws `up.data_file_damaged`. */
export const rememberedClouds = (folder: string): readonly RememberedCloud[] => {
  const stored = readStored<readonly StoredCloud[]>(join(folder, fileName)) ?? [];
  return stored.map(({ cloud: { token, ...cloud }, ...rest }) => ({
    ...rest,
    cloud: { ...cloud, ...(token !== undefined && { token: new Secret(token) }) },
  }));
};

/** The control interfaces of the simulated clouds beside a management API: those of its data folder. */
export const rememberedSimulators = (
  { dataDir, kubeconfig }: { readonly dataDir: string | undefined; readonly kubeconfig: string | undefined },
  variables: Readonly<Record<string, string | undefined>>,
): readonly ControlPlace[] => {
  const beside = kubeconfig ?? namedKubeconfigs(variables)[0];
  const folder = dataDir ?? (beside === undefined ? defaultDataFolder(variables) : dirname(resolve(beside)));
  return rememberedClouds(folder).flatMap(({ control, cloud }) =>
    control === undefined ? [] : [{ url: control, ca: cloud.ca }],
  );
};
