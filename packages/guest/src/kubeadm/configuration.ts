import { CapstanError } from "@capstan/contract";
import { readYaml, type YamlDocument } from "@capstan/kube-values/yaml";
import type { Disk } from "../boot/disk.ts";
import type { NodeRegistration } from "../node/node-registration.ts";

export type Json = Readonly<Record<string, unknown>>;

export const object = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});

/** The phase of kubeadm that failed: its name, or `undefined` before the first of them. */
export interface FailedPhase {
  readonly phase: string | undefined;
}

const failure = (message: string, details?: FailedPhase): CapstanError =>
  new CapstanError({
    code: "guest.kubeadm_failed",
    reason: "KubeadmFailed",
    message,
    retry: { kind: "never" },
    ...(details !== undefined && { details: { ...details } }),
  });

/** An error as kubeadm prints it. Default of the phase: no one says which. */
export const kubeadmError = failure;

const apiVersions = new Set(["kubeadm.k8s.io/v1beta3", "kubeadm.k8s.io/v1beta4"]);

const documentsOf = (text: string, path: string): readonly YamlDocument[] => {
  try {
    return readYaml(text);
  } catch (error) {
    throw failure(`${path}: ${(error as Error).message}`);
  }
};

/** Reads the documents of a kubeadm configuration file by kind. Throws `guest.kubeadm_failed` as kubeadm would refuse it. */
export const readConfiguration = (disk: Disk, path: string): ReadonlyMap<string, Json> => {
  const text = disk.text(path);
  if (text === undefined) {
    throw failure(`unable to read config from ${JSON.stringify(path)}: open ${path}: no such file or directory`);
  }
  const documents = new Map<string, Json>();
  for (const { value } of documentsOf(text, path)) {
    if (value === null || value === undefined) continue;
    const { apiVersion, kind } = object(value);
    if (typeof kind !== "string" || typeof apiVersion !== "string") {
      throw failure(`${path}: a document has no kind or apiVersion`);
    }
    if (!apiVersions.has(apiVersion) && apiVersion.startsWith("kubeadm.")) {
      throw failure(`${path}: ${apiVersion} is not supported`);
    }
    documents.set(kind, object(value));
  }
  return documents;
};

const controlPlaneTaint = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" } as const;

/** `null` or absent taints mean kubeadm's default for the role; an empty list means none. */
export const readNodeRegistration = (
  value: unknown,
  facts: { readonly hostname: string; readonly controlPlane: boolean },
): NodeRegistration => {
  const source = object(value);
  const taints = source["taints"];
  return {
    name: typeof source["name"] === "string" && source["name"] !== "" ? source["name"] : facts.hostname,
    taints: Array.isArray(taints) ? (taints as readonly Json[]) : facts.controlPlane ? [controlPlaneTaint] : [],
    kubeletArgs: readArgs(source["kubeletExtraArgs"]),
  };
};

const readArgs = (value: unknown): Readonly<Record<string, string>> =>
  Array.isArray(value)
    ? Object.fromEntries((value as readonly Json[]).map(({ name, value: text }) => [String(name), String(text)]))
    : Object.fromEntries(Object.entries(object(value)).map(([name, text]) => [name, String(text)]));
