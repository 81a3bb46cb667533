import { isCapstanError, Label } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";
import type { ObjectContext } from "../../engine/author.ts";

/** The Secret that keeps the log of a machine. */
export const logSecretName = ({ metadata }: KubeObject): string => `${metadata.name ?? ""}-bootstrap-log`;

/** Keeps the end of a log in a Secret that goes with the machine. What is in its way stays. */
export const keepLog = async <O extends KubeObject>(
  context: ObjectContext<O>,
  name: string,
  log: string,
): Promise<void> => {
  const { cache, client, signal } = context.environment;
  const { object } = context.changes;
  const { namespace = "", uid = "" } = object.metadata;
  const key = { namespace, name };
  const present = cache.get(SecretResource, key);
  if (present !== undefined && present.metadata.ownerReferences?.every((owner) => owner.uid !== uid) !== false) {
    context.log.warn("cannot save the log of a failed bootstrap: a Secret with its name exists", key);
    return;
  }
  const clusterName = context.identity.clusterName;
  const body = {
    apiVersion: apiVersionOf(SecretResource),
    kind: SecretResource.kind,
    metadata: {
      ...key,
      labels: { [Label.clusterName]: clusterName },
      ownerReferences: [{ apiVersion: object.apiVersion, kind: object.kind, name: object.metadata.name ?? "", uid }],
    },
    type: "capstan.dev/bootstrap-log",
    data: { log: Buffer.from(log).toString("base64") },
  };
  try {
    await client.patch(
      SecretResource,
      key,
      { type: "apply", body, force: true },
      { fieldManager: "capstan-report", signal },
    );
  } catch (error) {
    // The verdict is worth more than the log.
    if (!isCapstanError(error) || signal.aborted) throw error;
    context.log.warn("cannot save the log of a failed bootstrap", { error: error.message });
  }
};
