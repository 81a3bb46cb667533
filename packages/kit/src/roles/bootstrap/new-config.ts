import { isCapstanError, type Random } from "@capstan/contract";
import { applyPatch, clusterSecretName } from "@capstan/contract/wire";
import { keyOf, keyText } from "@capstan/kube-values";
import type { Environment, Request } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { SecretReader } from "../../engine/credentials.ts";
import type { CompletePart, NewPartPlace } from "../../machines/completion.ts";
import { clusterSecretText, type SecretText } from "./cluster-secret-text.ts";

/** Input for a bootstrap config's author before a config is created. */
export interface NewConfigContext<O extends KubeObject> extends NewPartPlace {
  /** As its template has it. */
  readonly object: O;
  readonly random: Random;
  /** As in `BootstrapContext`. */
  clusterSecret(purpose: string): Promise<SecretText | undefined>;
}

/** A merge patch of the spec of a config that is about to be made; `undefined`: nothing is known yet. */
export type SpecAtCreation<O extends KubeObject> = (
  context: NewConfigContext<O>,
) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** The authorities of so many clusters are kept. */
const keptClusters = 16;

/** A failure here is met again by the config itself, which says so: nothing keeps it from being made. */
export const completesNewConfigs = <O extends KubeObject>(
  specAtCreation: SpecAtCreation<O>,
  environment: Environment,
): CompletePart => {
  const secrets = new SecretReader();
  const readers = new Map<string, Request>();
  const reader = (cluster: KubeObject): Request => {
    const key = keyOf(cluster);
    readers.delete(keyText(key));
    readers.set(keyText(key), key);
    const [oldest] = readers;
    if (readers.size > keptClusters && oldest !== undefined) {
      readers.delete(oldest[0]);
      secrets.forget(oldest[1]);
    }
    return key;
  };
  return async (config, { cluster, machine }) => {
    const { namespace = "", name = "" } = cluster.metadata;
    const clusterSecret = async (purpose: string): Promise<SecretText | undefined> => {
      const ref = { namespace, name: clusterSecretName(name, purpose) };
      const found = await secrets.read(ref, reader(cluster), environment);
      return found && clusterSecretText(cluster, found.secret, found.data);
    };
    try {
      const { random } = environment;
      const spec = await specAtCreation({ object: config as O, cluster, machine, random, clusterSecret });
      return spec === undefined ? config : applyPatch(config, { spec });
    } catch (error) {
      if (!isCapstanError(error)) throw error;
      return config;
    }
  };
};
