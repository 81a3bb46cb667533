import type { Clock, Logger, Random } from "@capstan/contract";
import type { ControlPlaneMaterial } from "./workload-cluster.ts";

export interface RunningApiServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts an API server on loopback with the certificates and keys of a workload cluster. */
export const startApiServer = async (
  options: ControlPlaneMaterial & { readonly clock: Clock; readonly random: Random; readonly log: Logger },
): Promise<RunningApiServer> => {
  throw new Error(String(options));
};
