import {
  type ConnectPod,
  createApiServer,
  type ReadPodLog,
  standardControllers,
  standardExtensions,
} from "@capstan/apiserver";
import type { CapstanError, Clock, Logger, Random } from "@capstan/contract";
import type { ControlPlaneMaterial } from "./control-plane-material.ts";
import { metricsApi } from "./metrics-api.ts";

export interface RunningApiServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts an API server on loopback with the certificates and keys of a workload cluster. */
export const startApiServer = async (
  options: ControlPlaneMaterial & {
    readonly connectPod: ConnectPod;
    readonly readPodLog: ReadPodLog;
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Logger;
    readonly onStorageFailed: ((failure: CapstanError) => void) | undefined;
  },
): Promise<RunningApiServer> => {
  const { authority, clientAuthority, serving, serviceAccount, serviceSubnet, file, clock, random, log } = options;
  const server = createApiServer({
    clock,
    random,
    log,
    storage: file === undefined ? "memory" : { file },
    // Whoever asks for the cluster's authority gets the one that servers are known by.
    ...(clientAuthority !== undefined && { certificateAuthority: authority }),
    tls: { ...serving, clientCA: (clientAuthority ?? authority).certificate },
    connectPod: options.connectPod,
    readPodLog: options.readPodLog,
    serviceAccount: { keys: serviceAccount },
    ...(options.onStorageFailed !== undefined && { onStorageFailed: options.onStorageFailed }),
    extensions: [
      ...standardExtensions([...standardControllers, "bootstrap-token-cleaner", "bootstrap-signer"]),
      metricsApi,
    ],
    serviceClusterIPRange: serviceSubnet.split(",", 1)[0] ?? serviceSubnet,
  });
  await server.start();
  return { port: Number(new URL(server.url).port), stop: () => server.stop() };
};
