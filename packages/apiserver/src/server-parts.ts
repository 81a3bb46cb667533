import type { Logger } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { certificateApproval } from "./admission/certificate-approval.ts";
import { namespaceLifecycle } from "./admission/namespace-lifecycle.ts";
import { nodeRestriction } from "./admission/node-restriction.ts";
import { policyParameters } from "./admission/policy-parameters.ts";
import { accessReviews } from "./auth/access-reviews.ts";
import { bootstrapRoles } from "./auth/bootstrap-roles.ts";
import { bootstrapTokens } from "./auth/bootstrap-tokens.ts";
import type { TokenAuthenticator } from "./auth/authenticator.ts";
import { escalationCheck } from "./auth/escalation.ts";
import { identityReviews, issueToken } from "./auth/identity-reviews.ts";
import { createRbac, type Rbac } from "./auth/rbac.ts";
import { defaultIssuer, type ServiceAccountTokens, serviceAccountTokens } from "./auth/service-account-tokens.ts";
import { staticTokens } from "./auth/static-tokens.ts";
import { noteClosing, noteOpened, type ServerIdentity } from "./server-identity.ts";
import { createMissing, createOrChange } from "./bootstrap.ts";
import { bootstrapNamespaces, bootstrapPriorityClasses, clientAuthority, ownService } from "./bootstrap-objects.ts";
import { addressRange } from "./values/address-range.ts";
import { builtinDefinitions } from "./builtin/definitions.ts";
import { builtinOwner, createRegistry } from "./registry/registry.ts";
import { pooledRandom } from "./registry/pooled-random.ts";
import { type Core, createCore } from "./registry/resource-store.ts";
import type { AdmissionPlugin, Extension } from "./registry/extension.ts";
import type { Registry } from "./model/types.ts";
import type { ApiServerOptions } from "./server-options.ts";
import { standardExtensions } from "./standard-extensions.ts";
import { memoryBackend } from "./storage/backend.ts";
import { ObjectStorage } from "./storage/object-storage.ts";
import { sqliteBackend } from "./storage/sqlite-backend.ts";

/** No webhook may keep the server from starting, and those of an earlier run may not be there yet. */
const own = { admitted: true } as const;

const defaultServiceRange = "10.0.0.0/24";

/** The data file, if there is one. */
export const dataFileOf = ({ storage = "memory" }: ApiServerOptions): string | undefined =>
  storage === "memory" ? undefined : storage.file;

/** Components of a server, except its listener. */
export interface Parts {
  readonly core: Core;
  readonly rbac: Rbac & { stop(): void };
  readonly accounts: ServiceAccountTokens;
  readonly tokens: readonly TokenAuthenticator[];
  /** In the order in which they were started. */
  readonly extensions: readonly Extension[];
  /** To be called before the storage is closed. */
  readonly closing: () => void;
}

const openCore = (options: ApiServerOptions, admission: AdmissionPlugin[], log: Logger): Core => {
  const file = dataFileOf(options);
  const { clock } = options;
  const random = pooledRandom(options.random);
  const backend = file === undefined ? memoryBackend() : sqliteBackend(file);
  const storage = new ObjectStorage({ backend, clock, log, onFailure: options.onStorageFailed });
  return createCore({ registry: createRegistry(), storage, admission, clock, random, log });
};

const openParts = (
  options: ApiServerOptions,
  identity: ServerIdentity,
  admission: AdmissionPlugin[],
  log: Logger,
): Parts => {
  const core = openCore(options, admission, log);
  const dataFile = dataFileOf(options);
  try {
    if (dataFile !== undefined) {
      noteOpened(dataFile, identity, core.storage.revision);
    }
  } catch (error) {
    void core.storage.close();
    throw error;
  }
  const accounts = serviceAccountTokens({
    ...core,
    keys: options.serviceAccount?.keys ?? identity.serviceAccountKeys,
    verificationKeys: options.serviceAccount?.verificationKeys ?? [],
    issuer: options.serviceAccount?.issuer ?? defaultIssuer,
  });
  const tokens = [
    staticTokens(options.tokens ?? {}),
    bootstrapTokens(core.store, options.clock),
    accounts.authenticator,
  ];
  const closing = (): void => {
    if (dataFile !== undefined) {
      noteClosing(dataFile, identity, core.storage.published);
    }
  };
  return { core, accounts, tokens, rbac: createRbac(core.store), extensions: [], closing };
};

const registerBuiltin = ({ core, accounts, tokens, rbac }: Parts, options: ApiServerOptions): void =>
  core.registry.replace(
    builtinOwner,
    builtinDefinitions({
      serviceCidr: options.serviceClusterIPRange ?? defaultServiceRange,
      virtual: {
        ...accessReviews(rbac),
        ...identityReviews(accounts, tokens),
      },
      issueToken: issueToken(accounts),
      ...(options.connectPod !== undefined && { connectPod: options.connectPod }),
      ...(options.readPodLog !== undefined && { readPodLog: options.readPodLog }),
    }),
  );

const createExtensions = (parts: Parts, options: ApiServerOptions, caCertificate: string): readonly Extension[] =>
  (options.extensions ?? standardExtensions()).map((create) =>
    create({
      ...parts.core,
      caCertificate,
      issueServiceAccountToken: (account) => parts.accounts.sign(account),
      allows: (user, access) =>
        parts.rbac.allows(user, { ...access, path: "", isResource: true, version: "*", subresource: "" }) !== undefined,
    }),
  );

/** Namespaces and definitions come first; objects whose kind is not served yet, after what defines it. */
const manifestsByKind = (registry: Registry, manifests: readonly KubeObject[]) => {
  const { served = [], custom = [] } = Object.groupBy(manifests, ({ apiVersion, kind }) => {
    const [version = "", group = ""] = apiVersion.split("/").toReversed();
    return registry.snapshot.findKind(group, version, kind) === undefined ? "custom" : "served";
  });
  const { first = [], rest = [] } = Object.groupBy(served, ({ kind }) =>
    kind === "Namespace" || kind === "CustomResourceDefinition" ? "first" : "rest",
  );
  return { served: [first, rest], custom };
};

/** Opens the storage, registers every kind, creates what a new server contains and starts the extensions. */
export const startParts = async (
  options: ApiServerOptions,
  identity: ServerIdentity,
  caCertificate: string,
  log: Logger,
): Promise<Parts> => {
  const admission: AdmissionPlugin[] = [];
  const parts = openParts(options, identity, admission, log);
  const { registry, store } = parts.core;
  const started: Extension[] = [];
  try {
    registerBuiltin(parts, options);
    admission.push(
      namespaceLifecycle(store),
      nodeRestriction(store),
      certificateApproval(parts.rbac),
      escalationCheck(parts.rbac),
      policyParameters({ registry, store, rbac: parts.rbac }),
    );
    const extensions = createExtensions(parts, options, caCertificate);
    for (const { name, definitions = [], admission: plugins = [] } of extensions) {
      registry.replace(name, definitions);
      admission.push(...plugins);
    }
    await createMissing(registry, store, bootstrapNamespaces, own);
    await createMissing(registry, store, [...bootstrapRoles, ...bootstrapPriorityClasses], own);
    const { served, custom } = manifestsByKind(registry, options.manifests ?? []);
    for (const objects of served) {
      await createMissing(registry, store, objects);
    }
    for (const extension of extensions) {
      started.push(extension);
      await extension.start?.();
    }
    await createMissing(registry, store, custom);
    return { ...parts, extensions: started };
  } catch (error) {
    await stopParts({ ...parts, extensions: started }, log);
    throw error;
  }
};

/** Tells in the API itself how the server is reached and whose certificates it accepts. */
export const publishServer = async (
  { core: { registry, store } }: Parts,
  { serviceClusterIPRange = defaultServiceRange }: ApiServerOptions,
  server: { readonly host: string; readonly port: number; readonly clientCA: string },
): Promise<void> => {
  const clusterIP = addressRange(serviceClusterIPRange).at(0);
  for (const object of [clientAuthority(server.clientCA), ...ownService({ ...server, clusterIP })]) {
    await createOrChange(registry, store, object, own);
  }
};

/** Stops the extensions, the last first, and closes the storage. */
export const stopParts = async ({ core, rbac, extensions, closing }: Parts, log: Logger): Promise<void> => {
  for (const extension of extensions.toReversed()) {
    try {
      await extension.stop?.();
    } catch (error) {
      log.error("an extension could not be stopped", { extension: extension.name, error: String(error) });
    }
  }
  rbac.stop();
  await core.storage.settled().catch(() => undefined);
  const mark = (): boolean => {
    try {
      closing();
      return true;
    } catch (error) {
      log.error("the data file could not be marked as closed", { error: String(error) });
      return false;
    }
  };
  const isMarked = mark();
  await core.storage.close();
  // On a full disk there is room now, where the write-ahead log was: without the mark it would be missed.
  if (!isMarked) mark();
};
