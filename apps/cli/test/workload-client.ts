import { SecretResource } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig, type Client, type Connection } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";

/** A key of a Secret of the management API, as text. */
export const secretTextOf = async (management: Client, name: string, key: string): Promise<string> => {
  const { data } = await management.get(SecretResource, { namespace: "default", name });
  const encoded = (data as Readonly<Record<string, string>> | undefined)?.[key] ?? "";
  return Buffer.from(encoded, "base64").toString();
};

/** A workload cluster, as its administrator. */
export const workloadClient = async (
  management: Client,
  cluster: string,
): Promise<{ readonly client: Client; readonly connection: Connection; readonly close: () => Promise<void> }> => {
  const text = await secretTextOf(management, `${cluster}-kubeconfig`, "value");
  const connection = connect({ access: await loadKubeconfig({ text }), clock: systemClock });
  return { client: createClient(connection), connection, close: () => connection.close() };
};
