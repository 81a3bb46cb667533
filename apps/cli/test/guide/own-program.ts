import { createApiServer } from "@capstan/apiserver";
import { createBootstrapKubeadmProvider } from "@capstan/bootstrap-kubeadm";
import { applyInstallation, composeManager, installCrds, providerExtensions, silentView } from "@capstan/cli/up";
import type { Clock, Logger, Random } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { createCoreProvider } from "@capstan/core";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { s3ObjectStores } from "@capstan/object-store-s3";

/** `systemClock`, `cryptoRandom` and `createLogger()` of @capstan/runtime, or those of a test. */
export interface Surroundings {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const withOurs = (yours: ProviderV1): readonly ProviderV1[] => [
  createCoreProvider(),
  createBootstrapKubeadmProvider(),
  yours,
];

/** The management API and the managers in one process. `serving` is called when everything runs, with the administrator's kubeconfig. */
export const runEmbedded = async (
  yours: ProviderV1,
  { clock, random, log, signal }: Surroundings,
  serving: (kubeconfig: string) => void,
): Promise<void> => {
  const providers = withOurs(yours);
  // Converts, completes and checks objects of the providers' kinds in its own process.
  const extensions = providerExtensions(providers);
  const server = createApiServer({ clock, random, log, extensions, storage: "memory" });
  await server.start();
  const kubeconfig = await server.adminKubeconfig();
  const connection = connect({ access: await loadKubeconfig({ text: kubeconfig }), clock });
  try {
    await installCrds(providers, { client: createClient(connection), clock, signal, conversion: "embedded" });
    const stores = [s3ObjectStores({ clock })];
    const manager = composeManager(providers, { connection, stores, clock, random, log });
    const ended = manager.run({ signal });
    await Promise.race([manager.ready(), ended]);
    serving(kubeconfig);
    await ended;
  } finally {
    await connection.close();
    await server.stop();
  }
};

/** What an administrator does once in a cluster: definitions, accounts, and roles of no more than the providers say they do. */
export const install = async (
  yours: ProviderV1,
  kubeconfig: string,
  { clock, signal }: Surroundings,
): Promise<void> => {
  const connection = connect({ access: await loadKubeconfig({ text: kubeconfig }), clock });
  const client = createClient(connection);
  await applyInstallation(client, withOurs(yours), { clock, signal, view: silentView });
  await connection.close();
};
