import { createApiServer, customResources, type ApiServer, type ApiServerOptions } from "@capstan/apiserver";
import { conditionOf, CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig, type Client } from "@capstan/kube";
import { crdOf } from "@capstan/schema";
import { type FakeClock, seededRandom } from "@capstan/testing";
import { KubeadmConfig } from "../src/api.ts";

/** An API server that knows KubeadmConfigs. */
export interface ConfigServer {
  readonly server: ApiServer;
  readonly client: Client;
  readonly stop: () => Promise<void>;
}

export const startConfigServer = async (
  clock: FakeClock,
  extensions: NonNullable<ApiServerOptions["extensions"]> = [],
): Promise<ConfigServer> => {
  const server = createApiServer({ clock, random: seededRandom(7), extensions: [customResources(), ...extensions] });
  await server.start();
  const connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  const client = createClient(connection);
  await client.create(CustomResourceDefinitionResource, crdOf(KubeadmConfig));
  const name = `${KubeadmConfig.plural}.${KubeadmConfig.group}`;
  await clock.advanceUntil(async () => {
    const definition = await client.get(CustomResourceDefinitionResource, { name });
    return conditionOf(definition, "Established")?.status === "True";
  });
  const stop = async (): Promise<void> => {
    await connection.close();
    await server.stop();
  };
  return { server, client, stop };
};
