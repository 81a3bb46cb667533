import { isMirrorPod } from "../builtin/kinds/mirror-pod.ts";
import { listOf, partOf, specOf, textOf } from "../values/object-parts.ts";
import type { KubeObject } from "@capstan/schema";
import type { ResourceStore } from "../model/types.ts";

/** The kinds of objects that a Pod's spec can name. */
export type ReferencedKind = "secrets" | "configmaps" | "persistentvolumeclaims" | "serviceaccounts";

const membersOf: Readonly<Record<string, ReferencedKind>> = {
  secret: "secrets",
  secretRef: "secrets",
  secretKeyRef: "secrets",
  nodePublishSecretRef: "secrets",
  azureFile: "secrets",
  configMap: "configmaps",
  configMapRef: "configmaps",
  configMapKeyRef: "configmaps",
  persistentVolumeClaim: "persistentvolumeclaims",
};

const nameIn = (reference: unknown): string => {
  const { name, secretName, claimName } = partOf(reference);
  return textOf(secretName) || textOf(claimName) || textOf(name);
};

/** Looks through volumes and environments for references, at any depth. */
const names = (value: unknown, kind: ReferencedKind, name: string): boolean => {
  if (Array.isArray(value)) {
    return value.some((item) => names(item, kind, name));
  }
  return Object.entries(partOf(value)).some(
    ([member, child]) => (membersOf[member] === kind && nameIn(child) === name) || names(child, kind, name),
  );
};

/** Returns whether a Pod needs the object of its namespace. */
export const refersTo = (pod: KubeObject, kind: ReferencedKind, name: string): boolean => {
  const spec = specOf(pod);
  if (isMirrorPod(pod)) {
    return false;
  }
  if (kind === "serviceaccounts") {
    return textOf(spec["serviceAccountName"]) === name;
  }
  const pulls = kind === "secrets" && listOf(spec["imagePullSecrets"]).some((secret) => nameIn(secret) === name);
  const containers = [spec["initContainers"], spec["containers"], spec["ephemeralContainers"]].flatMap(listOf);
  const environments = containers.flatMap((container) => [partOf(container)["env"], partOf(container)["envFrom"]]);
  return pulls || names([spec["volumes"], environments], kind, name);
};

/** The Pods that are bound to a node; of one namespace, or of all. */
export const podsOn = (store: ResourceStore, node: string, namespace?: string): readonly KubeObject[] =>
  store
    .peekAll({ group: "", plural: "pods" }, namespace === undefined ? {} : { namespace })
    .filter((pod) => specOf(pod)["nodeName"] === node);
