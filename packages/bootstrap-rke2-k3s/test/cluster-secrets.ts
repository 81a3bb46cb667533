import { clusterSecretType, Label } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import { type BootstrapContext, findClusterSecret, secretBytes, secretText } from "@capstan/kit/bootstrap";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";

interface Place {
  readonly client: Client;
  readonly namespace: string;
}

/** Creates a Secret of the cluster that its name begins with. */
export const createClusterSecret = (
  { client, namespace }: Place,
  name: string,
  stringData: Readonly<Record<string, string>>,
): Promise<KubeObject> => {
  const metadata = { namespace, name, labels: { [Label.clusterName]: name.split("-")[0] ?? "" } };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, type: clusterSecretType, stringData };
  return client.create(SecretResource, secret);
};

/** The reads of Secrets that a context has. */
export const secretReads = ({
  client,
  cluster,
  namespace,
}: Place & { readonly cluster: KubeObject }): Pick<
  BootstrapContext<KubeObject>,
  "secret" | "clusterSecret" | "watchSecret" | "seenSecret" | "madeSecret"
> => ({
  secret: async (name) => {
    const secret = await client.find(SecretResource, { namespace, name });
    return secret && secretText(secretBytes(secret));
  },
  clusterSecret: (purpose) =>
    findClusterSecret({ client, cluster, call: { signal: new AbortController().signal } }, purpose),
  watchSecret: () => undefined,
  seenSecret: async () => undefined,
  madeSecret: () => undefined,
});
