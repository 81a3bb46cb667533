import { isCapstanError } from "@capstan/contract";
import { ownerReference } from "@capstan/contract/wire";
import { clusterSecretKey, ensureClusterToken, findClusterSecret } from "@capstan/kit/bootstrap";
import type { ControlPlaneContext } from "@capstan/kit/control-plane";
import type { KubeObject, Resource } from "@capstan/schema";
import { Reason, tokenAvailable } from "../api/conditions.ts";

const { type } = tokenAvailable;

/**
 * Creates the token that machines of a new cluster join with, unless there is one. Once the cluster is initialized it is only looked at:
 * servers would not take another. Says in TokenAvailable whether it is there.
 */
export const keepToken = async <O extends KubeObject>(
  kind: Resource<O>,
  context: ControlPlaneContext<O>,
): Promise<void> => {
  const owner = ownerReference(kind, context.object, { controller: true, blockOwnerDeletion: true });
  try {
    const isThere = context.initialized
      ? ((await findClusterSecret(context, "token"))?.["value"] ?? "") !== ""
      : (await ensureClusterToken(context, { owner })) !== "";
    if (isThere) return context.condition({ type, status: "True", reason: Reason.available });
    const { namespace, name } = clusterSecretKey(context, "token");
    const message = `Secret ${namespace}/${name} is missing or has no key value; restore it: no machine can join until then`;
    return context.condition({ type, status: "False", reason: Reason.notAvailable, message });
  } catch (error) {
    if (isCapstanError(error)) {
      context.condition({ type, status: "False", reason: Reason.notAvailable, message: error.message });
    }
    throw error;
  }
};
