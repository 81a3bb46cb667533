import { readFileSync } from "node:fs";
import {
  type AddressGuard,
  CapstanError,
  isCapstanError,
  type Clock,
  type Logger,
  type ProxyFor,
  type Random,
} from "@capstan/contract";
import type { ObjectStoreOpener, SimulationV1, StoreServingV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { createObjectStores } from "../modules/object-stores.ts";
import { outsideOf } from "../modules/outside.ts";
import type { View } from "../view/view.ts";
import type { DataFolder } from "./data-folder.ts";
import { rememberedPort, rememberPort } from "./remembered-port.ts";
import type { StoreServerOptions, UpOptions } from "./up-options.ts";
import { whyUnreadable } from "../file-words.ts";

interface StoreEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly proxyFor?: ProxyFor;
  readonly guard?: AddressGuard;
  readonly variables: (name: string) => string | undefined;
  readonly view: View;
  readonly data: DataFolder;
  readonly simulations: readonly SimulationV1[];
}

/** The Secret of the store for clusters that name none: where only administrators may write. */
const secretKey = { namespace: "kube-system", name: "capstan-object-store" };

const unusable = (message: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "up.object_store_tls",
    reason: "ObjectStoreTLSUnusable",
    message,
    retry: { kind: "never" },
    ...(cause === undefined ? {} : { cause }),
  });

const readPem = (flag: string, file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unusable(`${flag} ${file}: ${whyUnreadable(error)}; name a PEM file that you can read`, error);
  }
};

const tlsOf = ({ tlsCertFile, tlsPrivateKeyFile }: StoreServerOptions): StoreServingV1["tls"] => {
  if (tlsCertFile === undefined && tlsPrivateKeyFile === undefined) return undefined;
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) {
    throw unusable(
      "--object-store-tls-cert-file and --object-store-tls-private-key-file belong together: set both, or neither",
    );
  }
  return {
    certificate: readPem("--object-store-tls-cert-file", tlsCertFile),
    key: readPem("--object-store-tls-private-key-file", tlsPrivateKeyFile),
  };
};

const servingOf = (
  { objectStoreServer }: Pick<UpOptions, "objectStoreServer">,
  { data, simulations }: StoreEnvironment,
): StoreServingV1 => {
  const { address, listen } = objectStoreServer;
  const tls = tlsOf(objectStoreServer);
  return {
    folder: (name) => data.folder(name),
    port: (name) => rememberedPort(name, { data }),
    machinesAreHere: simulations.length > 0,
    ...(address !== undefined && { address }),
    ...(listen !== undefined && { listen }),
    ...(tls !== undefined && { tls }),
  };
};

/** Makes the stores, and starts the servers of those that serve from this process. What stops them is added to `cleanups`. */
export const startStores = async (
  options: Pick<UpOptions, "objectStores" | "objectStoreServer" | "setOptions">,
  environment: StoreEnvironment,
  cleanups: (() => Promise<void> | void)[],
): Promise<readonly ObjectStoreOpener[]> => {
  const serving = servingOf(options, environment);
  const stores = await createObjectStores(
    options.objectStores,
    outsideOf(environment, environment.simulations, serving),
    { settings: options.setOptions },
  );
  for (const { server, type } of stores) {
    if (server === undefined) continue;
    cleanups.push(() => server.stop());
    await server.start();
    const { description: text, url } = server;
    if (options.objectStoreServer.listen === undefined) rememberPort(environment.data, "object-store", url);
    environment.view.say({ type: "object-store", text, fields: { store: type, url } });
  }
  return stores;
};

/** Writes the Secret of the store for clusters that name none, and returns its key; `undefined` when no store serves from this process. */
export const keepDefaultStore = async (
  stores: readonly ObjectStoreOpener[],
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
): Promise<typeof secretKey | undefined> => {
  const server = stores.find((store) => store.server !== undefined)?.server;
  if (server === undefined) return undefined;
  const secret = {
    apiVersion: SecretResource.version,
    kind: SecretResource.kind,
    metadata: secretKey,
    stringData: server.secretData,
  };
  try {
    await client.create(SecretResource, secret, { signal });
  } catch (error) {
    // It is there from the last run: a bucket that someone has chosen since stays.
    if (!isCapstanError(error, "kube.already_exists")) throw error;
  }
  return secretKey;
};
