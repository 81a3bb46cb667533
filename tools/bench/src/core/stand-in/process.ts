import { connect, loadKubeconfig } from "@capstan/kube";
import type { CertificateAndKey } from "@capstan/pki";
import { createLogger, createManager, systemClock } from "@capstan/runtime";
import { registerStandIn } from "./provider.ts";
import { WorkloadClusters } from "./workload-clusters.ts";

/** Order of the bench for this process. */
export interface StandInOrder {
  /** Kubeconfig of the management API. */
  readonly kubeconfig: string;
  /** Names of the Clusters. */
  readonly clusters: readonly string[];
  /** Authority of every workload cluster. */
  readonly authority: CertificateAndKey;
}

const run = async ({ kubeconfig, clusters, authority }: StandInOrder): Promise<void> => {
  const workloads = new WorkloadClusters();
  await workloads.start(clusters, authority);
  const connection = connect({
    clock: systemClock,
    access: await loadKubeconfig({ text: kubeconfig }),
    connections: 32,
  });
  const log = createLogger({ level: "warn", format: "text" });
  const manager = createManager({ connection, log });
  registerStandIn(manager, workloads);
  const ended = manager.run({ signal: new AbortController().signal });
  await Promise.race([manager.ready(), ended]);
  process.send?.("ready");
  await ended;
};

process.once("message", (order: StandInOrder) => {
  run(order).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
process.once("SIGTERM", () => process.exit(0));
