import { createApiServer } from "@capstan/apiserver";
import { createBootstrapKubeadmProvider } from "@capstan/bootstrap-kubeadm";
import { composeManager, installCrds, providerExtensions } from "@capstan/cli/up";
import { Secret, type Logger } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { createControlplaneKubeadmProvider } from "@capstan/controlplane-kubeadm";
import { createCoreProvider } from "@capstan/core";
import { type Client, connect, createClient, directAccess } from "@capstan/kube";
import { parseKubeconfig } from "@capstan/pki";
import { cryptoRandom, systemClock } from "@capstan/runtime";

/** Our API server with our controllers, in this process. */
export interface Management {
  readonly client: Client;
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Starts core, kubeadm bootstrap and control plane as the command does, with a provider of machines. */
export const startManagement = async (infrastructure: ProviderV1, log: Logger): Promise<Management> => {
  const providers = [
    createCoreProvider(),
    createBootstrapKubeadmProvider(),
    createControlplaneKubeadmProvider(),
    infrastructure,
  ];
  const clock = systemClock;
  const random = cryptoRandom;
  const server = createApiServer({ clock, random, log, extensions: providerExtensions(providers) });
  await server.start();
  const kubeconfig = await server.adminKubeconfig();
  const { clientCertificate = "", clientKey = "" } = parseKubeconfig(kubeconfig);
  const access = directAccess({
    url: server.url,
    ca: server.caCertificate,
    clientCertificate,
    clientKey: new Secret(clientKey),
  });
  const connection = connect({ access, clock });
  const client = createClient(connection);
  const stopping = new AbortController();
  const { signal } = stopping;
  await installCrds(providers, { client, clock, signal, conversion: "embedded" });
  const manager = composeManager(providers, { connection, clock, random, log, stores: [] });
  const ended = manager.run({ signal });
  ended.catch(() => undefined);
  await Promise.race([manager.ready(), ended]);
  return {
    client,
    kubeconfig,
    stop: async () => {
      stopping.abort();
      await ended.catch(() => undefined);
      await connection.close();
      await server.stop();
    },
  };
};
