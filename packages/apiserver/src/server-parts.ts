import type { Logger } from "@capstan/contract";
import { namespaceLifecycle } from "./admission/namespace-lifecycle.ts";
import { createAuthorizer } from "./auth/authorizer.ts";
import type { Authorize } from "./http/request-handler.ts";
import { bootstrapNamespaces, createMissing } from "./bootstrap.ts";
import { builtinDefinitions } from "./builtin/definitions.ts";
import { builtinOwner, createRegistry } from "./registry/registry.ts";
import { type Core, createCore } from "./registry/resource-store.ts";
import type { AdmissionPlugin, Extension, Registry } from "./registry/types.ts";
import type { ApiServerOptions } from "./server-options.ts";
import { memoryBackend } from "./storage/backend.ts";
import { ObjectStorage } from "./storage/object-storage.ts";
import { sqliteBackend } from "./storage/sqlite-backend.ts";

/** The data file, if there is one. */
export const dataFileOf = ({ storage = "memory" }: ApiServerOptions): string | undefined =>
  storage === "memory" ? undefined : storage.file;

/** What a server is made of, besides its listener. */
export interface Parts {
  readonly core: Core;
  readonly extensions: readonly Extension[];
  readonly authorize: Authorize;
}

const openCore = (options: ApiServerOptions, registry: Registry, admission: AdmissionPlugin[], log: Logger): Core => {
  const file = dataFileOf(options);
  const { clock, random } = options;
  const storage = new ObjectStorage({
    backend: file === undefined ? memoryBackend() : sqliteBackend(file),
    clock,
    log,
  });
  return createCore({ registry, storage, admission, clock, random, log });
};

/** Storage, registry and extensions, with everything a new server contains. */
export const startParts = async (options: ApiServerOptions, caCertificate: string, log: Logger): Promise<Parts> => {
  const registry = createRegistry();
  const admission: AdmissionPlugin[] = [];
  const core = openCore(options, registry, admission, log);
  const extensions: Extension[] = [];
  try {
    registry.replace(builtinOwner, builtinDefinitions({ serviceCidr: options.serviceClusterIPRange ?? "10.0.0.0/24" }));
    admission.push(namespaceLifecycle(core.store));
    for (const create of options.extensions ?? []) {
      const extension = create({ ...core, caCertificate, issueServiceAccountToken: () => Promise.reject(new Error()) });
      registry.replace(extension.name, extension.definitions ?? []);
      admission.push(...(extension.admission ?? []));
      extensions.push(extension);
    }
    await createMissing(registry, core.store, bootstrapNamespaces);
    await createMissing(registry, core.store, options.manifests ?? []);
    for (const extension of extensions) {
      await extension.start?.();
    }
    return { core, extensions, authorize: createAuthorizer(core.store) };
  } catch (error) {
    await stopParts({ core, extensions }, log);
    throw error;
  }
};

/** Stops the extensions, the last first, and closes the storage. */
export const stopParts = async (
  { core, extensions }: Pick<Parts, "core" | "extensions">,
  log: Logger,
): Promise<void> => {
  for (const extension of extensions.toReversed()) {
    try {
      await extension.stop?.();
    } catch (error) {
      log.error("an extension could not be stopped", { extension: extension.name, error: String(error) });
    }
  }
  await core.storage.close();
};
