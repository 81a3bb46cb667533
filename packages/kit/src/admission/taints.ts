import { Taint } from "@capstan/contract";
import { isQualifiedName } from "@capstan/kube-values";
import type { Cause } from "@capstan/schema";
import type { MachineSettings } from "../machines/machine.ts";
import { invalid } from "./causes.ts";

const controllerKeys: readonly string[] = [Taint.uninitialized.key, Taint.outdatedRevision.key];
const kubernetesPrefix = "node.kubernetes.io/";
const outOfService = "node.kubernetes.io/out-of-service";
const cloudPrefix = "node.cloudprovider.kubernetes.io/";
const masterKey = "node-role.kubernetes.io/master";
const controlPlaneKey = "node-role.kubernetes.io/control-plane";

/** Why a user may not set a taint. */
const reserved = (key: string, isControlPlane: boolean): string | undefined => {
  if (controllerKeys.includes(key)) return "the taint is set by Cluster API itself";
  if (key.startsWith(kubernetesPrefix) && key !== outOfService) return "the taint is set by Kubernetes itself";
  if (key.startsWith(cloudPrefix)) return "the taint is set by the cloud provider";
  if (key === masterKey) return `the taint is obsolete; use ${controlPlaneKey}`;
  if (key === controlPlaneKey && !isControlPlane) return "the taint is for control planes, not for workers";
  return undefined;
};

/** Returns whether the taints of a Machine may be brought to its Node. */
export const taintCauses = (
  taints: MachineSettings["taints"],
  path: string,
  options: { readonly isControlPlane: boolean },
): readonly Cause[] =>
  (taints ?? []).flatMap(({ key }, index) => {
    const field = `${path}[${index}].key`;
    if (!isQualifiedName(key)) {
      return [invalid(field, key, "must be a name with an optional DNS prefix and /")];
    }
    const why = reserved(key, options.isControlPlane);
    return why === undefined ? [] : [invalid(field, key, why)];
  });
