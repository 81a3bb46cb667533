import {
  type CreateObjectStoreV1,
  type ObjectStoreOpener,
  type ObjectStoreServerV1,
  withOptions,
} from "@capstan/contract/v1";
import { storeError } from "./errors.ts";
import { LocalFolder } from "./local-folder.ts";
import { declaration, type LocalObjectStoreOptions } from "./options.ts";
import { LocalStoreServer } from "./server.ts";
import { readBucket } from "./settings.ts";
import { localStore } from "./store.ts";

const type = "local";
const name = "object-store";

/** Stores of type `local`, and the server that machines fetch from. */
export interface LocalObjectStores extends ObjectStoreOpener {
  readonly server: ObjectStoreServerV1;
}

/** Opens stores of type `local`: buckets are folders, served while `server` runs. */
export const localObjectStores = (options: LocalObjectStoreOptions): LocalObjectStores => {
  const folder = new LocalFolder(options);
  return {
    contract: "v1",
    type,
    server: new LocalStoreServer(folder, options),
    open: (data) => localStore(readBucket(data), folder),
  };
};

/** For applications that let no store serve from their process. */
const servedNowhere: ObjectStoreOpener = {
  contract: "v1",
  type,
  open: () => {
    const why = "stores of type local are only served by capstan up";
    throw storeError("invalidConfig", "open the object store", why);
  },
};

/** The stores as the command loads them. */
export const createObjectStore = withOptions(declaration, async ({ clock, log, serving }, options) => {
  if (serving === undefined) return servedNowhere;
  const { address, listen, machinesAreHere, tls } = serving;
  return localObjectStores({
    clock,
    log: log.child({ component: name }),
    folder: serving.folder(name),
    listen: listen ?? { host: "127.0.0.1", port: await serving.port(name) },
    ...(tls !== undefined && { tls }),
    ...(address === undefined ? !machinesAreHere && { address: null } : { address }),
    ...options,
  });
}) satisfies CreateObjectStoreV1;
