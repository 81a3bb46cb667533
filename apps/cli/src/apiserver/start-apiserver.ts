import { statSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import { isDeepStrictEqual } from "node:util";
import {
  appliedManifests,
  createApiServer,
  standardExtensions,
  type ApiServer,
  type ExtensionFactory,
  type ManifestPass,
} from "@capstan/apiserver";
import { CapstanError, isCapstanError, type Clock, type Logger, type Random } from "@capstan/contract";
import { manifestFolders } from "../manifest/manifest-folders.ts";
import type { Variables } from "../manifest/variables.ts";
import { writeFileAtomically } from "../write-file.ts";
import { conversionRole } from "../modules/module-role.ts";
import { outsideOf } from "../modules/outside.ts";
import { createProviders } from "../modules/providers.ts";
import { localConverters } from "../webhooks/local-webhooks.ts";
import type { DataFolder } from "../up/data-folder.ts";
import { rememberedPort, rememberPort } from "../up/remembered-port.ts";
import type { View } from "../view/view.ts";
import type { ApiserverOptions } from "./apiserver-options.ts";
import { auditOptions } from "./audit-options.ts";
import { flagError, readServerFiles } from "./server-files.ts";
import { dataFileName } from "../up/check-data-files.ts";

export interface ApiserverEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly view: View;
  readonly data: DataFolder;
  /** Variables of manifests. */
  readonly variables: Variables;
}

/** Keeps the folders of `--manifests` applied; `tried` resolves once everything was tried. */
const manifestExtensions = (
  { manifests, manifestsPrune: prune }: ApiserverOptions,
  { clock, view, variables }: Pick<ApiserverEnvironment, "clock" | "view" | "variables">,
): { readonly extensions: readonly ExtensionFactory[]; readonly tried: Promise<void> } => {
  if (manifests.length === 0) {
    if (prune) throw flagError("--manifests-prune requires --manifests");
    return { extensions: [], tried: Promise.resolve() };
  }
  for (const folder of manifests) {
    if (folder.trim() === "") throw flagError("--manifests: must name a folder; it is empty");
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found === undefined) {
      throw flagError(`--manifests ${folder}: no such folder; create it, or correct the path`);
    }
    if (!found.isDirectory()) throw flagError(`--manifests ${folder}: not a folder; name the folder that contains it`);
  }
  const { promise: tried, resolve } = Promise.withResolvers<void>();
  const source = manifestFolders(manifests, { clock, variables });
  let before: readonly string[] = [];
  const onPass = ({ applied, removed, failures }: ManifestPass): void => {
    resolve();
    const isNews = applied + removed > 0 || !isDeepStrictEqual(failures, before);
    before = failures;
    if (!isNews) return;
    const text = `manifests: ${applied} applied, ${removed} removed, ${failures.length} refused`;
    view.say({ type: "manifests", text: [text, ...failures].join("\n  "), fields: { applied, removed, failures } });
  };
  return { extensions: [appliedManifests({ source, prune, onPass })], tried };
};

/** Names of this machine, for a server that listens on every address. */
const ownNames = (): readonly string[] => [
  hostname(),
  ...Object.values(networkInterfaces()).flatMap((addresses = []) =>
    // The zone of a link-local address has no place in a certificate.
    addresses.filter(({ address }) => !address.startsWith("fe80:")).map(({ address }) => address),
  ),
];

/** The flag that is to be changed when the server cannot start. */
const flagsOf = (options: ApiserverOptions): Readonly<Record<string, string>> => ({
  "apiserver.port_taken": `--secure-port ${options.securePort}`,
  "apiserver.listen_failed": `--bind-address ${options.bindAddress} --secure-port ${options.securePort}`,
  "apiserver.service_range_invalid": `--service-cluster-ip-range ${options.serviceClusterIpRange ?? ""}`,
  "apiserver.storage_locked": `--data-dir ${options.dataDir}`,
  "apiserver.storage_corrupt": `--data-dir ${options.dataDir}`,
  "apiserver.storage_version": `--data-dir ${options.dataDir}`,
  "apiserver.storage_unavailable": `--data-dir ${options.dataDir}`,
  "apiserver.identity_corrupt": `--data-dir ${options.dataDir}`,
  "apiserver.identity_missing": `--data-dir ${options.dataDir}`,
  "apiserver.storage_missing": `--data-dir ${options.dataDir}`,
});

const started = async (server: ApiServer, options: ApiserverOptions): Promise<void> => {
  try {
    await server.start();
  } catch (error) {
    const flag = isCapstanError(error) ? flagsOf(options)[error.code] : undefined;
    if (!isCapstanError(error) || flag === undefined) throw error;
    const { code, reason, retry, message } = error;
    throw new CapstanError({ code, reason, retry, message: `${flag}: ${message}`, cause: error });
  }
};

/** Starts the server that `capstan apiserver` runs and says where it is. Throws what its flags and files, and the server, say. */
export const startApiserver = async (
  options: ApiserverOptions,
  { clock, random, log, view, data, variables }: ApiserverEnvironment,
): Promise<ApiServer> => {
  const files = readServerFiles(options);
  const audit = auditOptions(options, { clock, log });
  const outside = outsideOf({ clock, random, log, variables });
  const converters = localConverters(await createProviders(options.conversions, outside, { role: conversionRole }));
  const manifests = manifestExtensions(options, { clock, view, variables });
  const isEverywhere = options.bindAddress === "0.0.0.0" || options.bindAddress === "::";
  const server = createApiServer({
    clock,
    random,
    log: log.child({ component: "apiserver" }),
    storage: options.inMemory ? "memory" : { file: data.file(dataFileName) },
    host: options.bindAddress,
    port:
      options.securePort === 0
        ? await rememberedPort("apiserver", { data, host: options.bindAddress })
        : options.securePort,
    ...(isEverywhere ? { certificateHosts: ownNames() } : {}),
    ...files,
    ...(audit === undefined ? {} : { audit }),
    ...(options.serviceClusterIpRange === undefined ? {} : { serviceClusterIPRange: options.serviceClusterIpRange }),
    extensions: [
      ...standardExtensions(options.controllers, { converters, prefersUrls: true }),
      ...manifests.extensions,
    ],
  });
  await started(server, options);
  try {
    await manifests.tried;
    rememberPort(data, "apiserver", server.url);
    const text = await server.adminKubeconfig();
    const kubeconfig = data.writeSecret("kubeconfig", text);
    if (options.writeKubeconfig !== undefined) writeFileAtomically(options.writeKubeconfig, text, "write-kubeconfig");
    const path = options.writeKubeconfig ?? kubeconfig;
    view.say({
      type: "ready",
      text: `API server at ${server.url}, kubeconfig: ${path}`,
      fields: { url: server.url, kubeconfig: path },
    });
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
};
