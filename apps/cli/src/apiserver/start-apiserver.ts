import { hostname, networkInterfaces } from "node:os";
import { createApiServer, standardExtensions, type ApiServer } from "@capstan/apiserver";
import { CapstanError, isCapstanError, type Clock, type Logger, type Random } from "@capstan/contract";
import { writeFileAtomically } from "../write-file.ts";
import { converters } from "../up/converters.ts";
import type { DataFolder } from "../up/data-folder.ts";
import { rememberedPort, rememberPort } from "../up/remembered-port.ts";
import type { View } from "../view/view.ts";
import type { ApiserverOptions } from "./apiserver-options.ts";
import { readServerFiles } from "./server-files.ts";

export interface ApiserverEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly view: View;
  readonly data: DataFolder;
}

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
  { clock, random, log, view, data }: ApiserverEnvironment,
): Promise<ApiServer> => {
  const files = readServerFiles(options);
  const isEverywhere = options.bindAddress === "0.0.0.0" || options.bindAddress === "::";
  const server = createApiServer({
    clock,
    random,
    log: log.child({ component: "apiserver" }),
    storage: options.inMemory ? "memory" : { file: data.file("management.sqlite") },
    host: options.bindAddress,
    port: options.securePort === 0 ? await rememberedPort(data, "apiserver") : options.securePort,
    ...(isEverywhere ? { certificateHosts: ownNames() } : {}),
    ...files,
    ...(options.serviceClusterIpRange === undefined ? {} : { serviceClusterIPRange: options.serviceClusterIpRange }),
    extensions: standardExtensions(options.controllers, { converters }),
  });
  await started(server, options);
  try {
    rememberPort(data, "apiserver", server.url);
    const text = await server.adminKubeconfig();
    const kubeconfig = options.inMemory ? undefined : data.writeSecret("kubeconfig", text);
    if (options.writeKubeconfig !== undefined) writeFileAtomically(options.writeKubeconfig, text, "write-kubeconfig");
    const path = options.writeKubeconfig ?? kubeconfig;
    view.say({
      type: "ready",
      text: `API server at ${server.url}${path === undefined ? "" : `, kubeconfig: ${path}`}`,
      fields: { url: server.url, ...(path === undefined ? {} : { kubeconfig: path }) },
    });
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
};
