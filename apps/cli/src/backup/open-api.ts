import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createApiServer, standardExtensions } from "@capstan/apiserver";
import { CapstanError, isCapstanError, type Clock, type Logger, type Random } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { type Client, connect, createClient, loadKubeconfig } from "@capstan/kube";
import type { Resource } from "@capstan/schema";
import { clusterAccess } from "../cluster/cluster-access.ts";
import { outsideOf } from "../modules/outside.ts";
import { createProviders, providerNames } from "../modules/providers.ts";
import { localConverters } from "../webhooks/local-webhooks.ts";
import { dataFileName } from "../up/check-data-files.ts";

export interface ApiEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Environment variables that select the proxy to a server. Default: none. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** A management API to read from or to write to. */
export interface OpenApi {
  readonly client: Client;
  close(): Promise<void>;
}

export const openKubeconfig = async (
  file: string,
  { clock, variables = {} }: Pick<ApiEnvironment, "clock" | "variables">,
): Promise<OpenApi> => {
  const access = await clusterAccess({ kubeconfig: file, context: undefined }, variables);
  const connection = connect({ access, clock });
  return { client: createClient(connection), close: () => connection.close() };
};

const ownProviders = ({ clock, random, log, variables = {} }: ApiEnvironment): Promise<readonly ProviderV1[]> =>
  createProviders(providerNames, outsideOf({ clock, random, log, variables: (name) => variables[name] }));

/** The kinds of our own providers. */
export const providedKinds = async (environment: ApiEnvironment): Promise<readonly Resource[]> =>
  (await ownProviders(environment)).flatMap(({ kinds }) => kinds);

/** Serves a data file to this process alone, without any controller: nothing changes but what the caller changes. */
export const openDataFile = async (file: string, environment: ApiEnvironment): Promise<OpenApi> => {
  const { clock, random, log } = environment;
  const converters = localConverters(await ownProviders(environment));
  const server = createApiServer({
    clock,
    random,
    log,
    storage: { file },
    extensions: standardExtensions([], { converters }),
  });
  await server.start();
  const connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  return {
    client: createClient(connection),
    close: async () => {
      await connection.close();
      await server.stop();
    },
  };
};

export const dataFile = (dataDir: string): string => join(resolve(dataDir), dataFileName);

export const identityFile = (file: string): string => `${file}.identity.json`;

/** The server's certificate authority and token keys; `undefined` when it has none. */
export const readIdentity = (file: string): string | undefined =>
  existsSync(identityFile(file)) ? readFileSync(identityFile(file), "utf8") : undefined;

/**
 * The management API of a data folder: through the running server when there is one, else from its file. Throws `backup.nothing` for
 * a folder without state.
 */
export const openDataFolderApi = async (dataDir: string, environment: ApiEnvironment): Promise<OpenApi> => {
  const file = dataFile(dataDir);
  if (!existsSync(file)) {
    throw new CapstanError({
      code: "backup.nothing",
      reason: "NothingToBackUp",
      message: `--data-dir ${dataDir}: contains no management API state (${dataFileName}); correct the folder, or name a server with --kubeconfig`,
      retry: { kind: "never" },
    });
  }
  try {
    return await openDataFile(file, environment);
  } catch (error) {
    if (!isCapstanError(error, "apiserver.storage_locked")) throw error;
    return await openKubeconfig(join(resolve(dataDir), "kubeconfig"), environment);
  }
};
