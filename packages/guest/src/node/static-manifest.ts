import { readGoYamlValue } from "@capstan/kube-values/yaml";
import { isJsonObject } from "@capstan/schema";
import type { PodObject } from "../kinds/workload-kinds.ts";

/** The first minor version whose kubelet itself refuses static Pods that refer to objects of the API. */
const strictMinor = 34;

/** Members by which a Pod refers to objects of the API, with the resource that the kubelet names. */
const references: Readonly<Record<string, string>> = {
  clusterTrustBundle: "clustertrustbundles",
  configMap: "configmaps",
  configMapKeyRef: "configmaps",
  configMapRef: "configmaps",
  imagePullSecrets: "secrets",
  persistentVolumeClaim: "persistentvolumeclaims",
  resourceClaims: "resourceclaims",
  secret: "secrets",
  secretKeyRef: "secrets",
  secretRef: "secrets",
  serviceAccount: "serviceaccounts",
  serviceAccountName: "serviceaccounts",
};

const referenceIn = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.map(referenceIn).find((found) => found !== undefined);
  if (!isJsonObject(value)) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const isGiven = inner !== undefined && inner !== "" && !(Array.isArray(inner) && inner.length === 0);
    const found = isGiven && Object.hasOwn(references, key) ? references[key] : referenceIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** A file of a kubelet's folder: the Pod that it runs, or why it runs none; `forbidden`: why none is shown in the API. */
export interface StaticManifest {
  readonly pod?: PodObject;
  readonly fault?: string;
  readonly forbidden?: string;
}

const unread = (path: string, why: string): StaticManifest => ({
  fault: `${path}: couldn't parse as pod(${why}), please check config file`,
});

/** Reads a manifest of a kubelet's folder and says in the kubelet's words what is wrong with it. `version` is that of the kubelet. */
export const readManifest = (
  path: string,
  text: string,
  { node, version }: { readonly node: string; readonly version: string },
): StaticManifest => {
  let value: unknown;
  try {
    value = readGoYamlValue(text);
  } catch (error) {
    return unread(path, `yaml: ${error instanceof Error ? error.message : String(error)}`);
  }
  const json = JSON.stringify(value ?? null);
  if (!isJsonObject(value) || typeof value["kind"] !== "string") {
    return unread(path, `Object 'Kind' is missing in '${json}'`);
  }
  if (value["apiVersion"] === undefined) return unread(path, `Object 'apiVersion' is missing in '${json}'`);
  const { apiVersion, kind, metadata, spec } = value;
  if (apiVersion !== "v1" || kind !== "Pod") return unread(path, `invalid pod: ${String(apiVersion)}, Kind=${kind}`);
  const name = isJsonObject(metadata) ? metadata["name"] : undefined;
  if (typeof name !== "string" || name === "") return { fault: "invalid pod: name is needed for the pod" };
  if (!isJsonObject(spec) || !Array.isArray(spec["containers"]) || spec["containers"].length === 0) {
    return { fault: "invalid pod: [spec.containers: Required value]" };
  }
  const reference = referenceIn(spec);
  const pod = value as unknown as PodObject;
  if (reference === undefined) return { pod };
  if (Number(version.split(".")[1]) >= strictMinor) return { fault: `static pods may not reference ${reference}` };
  const shown = `pods "${name}-${node}" is forbidden: node "${node}" can not create pods that reference ${reference}`;
  return { pod, forbidden: shown };
};
