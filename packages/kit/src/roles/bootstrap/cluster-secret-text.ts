import { CapstanError, clusterSecretType, Label } from "@capstan/contract";
import { clusterSecretProblem, controllerOf } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { type SecretBytes, secretText } from "../../engine/credentials.ts";

/** The contents of a Secret as text. */
export type SecretText = Readonly<Record<string, string>>;

/** Reads a Secret of a cluster. */
export interface ClusterSecretOptions {
  /**
   * Only users supply it, and the machines of the cluster do not trust it as their own authority: it may have any type and no label, as the
   * certificates of an external etcd have, unless a controller made it. Default false.
   */
  readonly supplied?: boolean;
}

const unmarked = (secret: KubeObject, clusterName: string, problem: string): CapstanError => {
  const { namespace, name } = secret.metadata;
  return new CapstanError({
    code: "bootstrap.cluster_secret_unmarked",
    reason: "ClusterSecretUnmarked",
    message: `Secret ${namespace}/${name} is not used for the cluster: ${problem}; create it with the type ${clusterSecretType}, or kubernetes.io/tls, and the label ${Label.clusterName}=${clusterName}`,
  });
};

const suppliedProblem = (secret: KubeObject): string | undefined => {
  const controller = controllerOf(secret);
  return controller && `it is controlled by ${controller.kind} ${controller.name}`;
};

/** Returns the data of a Secret of a Cluster. Throws `bootstrap.cluster_secret_unmarked` for one that does not say that it is the Cluster's. */
export const clusterSecretText = (
  { metadata: { name: clusterName = "" } }: KubeObject,
  secret: KubeObject,
  data: SecretBytes,
  { supplied = false }: ClusterSecretOptions = {},
): SecretText => {
  const unlike = clusterSecretProblem(secret, clusterName);
  const problem = unlike === undefined || !supplied ? unlike : suppliedProblem(secret);
  if (problem !== undefined) throw unmarked(secret, clusterName, problem);
  return secretText(data);
};
