import type { KubeObject } from "@capstan/schema";
import { collectionPathOf, qualified } from "./api-kinds.ts";
import type { BackupEntry } from "./backup-file.ts";

export const groupOf = ({ apiVersion }: Pick<KubeObject, "apiVersion">): string =>
  apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";

/** `plural.group`. */
const kindName = ({ plural, object }: BackupEntry): string => qualified({ plural, group: groupOf(object) });

/** For messages: `machines.example.com default/one`. */
export const nameOf = (entry: BackupEntry): string => {
  const { namespace, name = "" } = entry.object.metadata;
  return `${kindName(entry)} ${namespace === undefined ? name : `${namespace}/${name}`}`;
};

/** Where an object is created. */
export const pathOf = (entry: BackupEntry): string => {
  const { object, plural } = entry;
  const [version = ""] = object.apiVersion.split("/").toReversed();
  const kind = { group: groupOf(object), version, kind: object.kind, plural, namespaced: entry.namespaced };
  return collectionPathOf(kind, entry.namespaced ? (object.metadata.namespace ?? "") : undefined);
};

export const itemPathOf = (entry: BackupEntry): string =>
  `${pathOf(entry)}/${encodeURIComponent(entry.object.metadata.name ?? "")}`;

const definitions = "customresourcedefinitions.apiextensions.k8s.io";

export const isDefinition = (entry: BackupEntry): boolean => kindName(entry) === definitions;

/** Order of kinds that must exist first: definitions of kinds, then namespaces. */
const rank: Readonly<Record<string, number>> = { [definitions]: 0, namespaces: 1 };

/**
 * In the order in which they are stored: definitions, namespaces, then owners before what they own, so that no garbage collector ever
 * sees an object without its owner. Otherwise the order of the backup is kept.
 */
export const inOrder = (entries: readonly BackupEntry[]): readonly BackupEntry[] => {
  const byUid = new Map(entries.map((entry) => [entry.object.metadata.uid ?? "", entry]));
  const depths = new Map<BackupEntry, number>();
  const depthOf = (entry: BackupEntry, below: ReadonlySet<BackupEntry>): number => {
    const known = depths.get(entry);
    if (known !== undefined) return known;
    const path = new Set([...below, entry]);
    const owners = (entry.object.metadata.ownerReferences ?? [])
      .map(({ uid }) => byUid.get(uid))
      .filter((owner) => owner !== undefined && !path.has(owner));
    const depth = Math.max(-1, ...owners.map((owner) => depthOf(owner as BackupEntry, path))) + 1;
    depths.set(entry, depth);
    return depth;
  };
  const place = (entry: BackupEntry): number => (rank[kindName(entry)] ?? 2) * 1_000_000 + depthOf(entry, new Set());
  return entries.toSorted((a, b) => place(a) - place(b));
};

const serverNamespaces = new Set(["kube-system", "kube-public", "kube-node-lease"]);

/** Where a server is reached, whom it trusts and what it serves: it says so itself at every start, so no backup holds it. */
export const isAboutServer = (entry: BackupEntry): boolean => {
  const { name, namespace, labels = {} } = entry.object.metadata;
  if (kindName(entry) === "apiservices.apiregistration.k8s.io") {
    return labels["kube-aggregator.kubernetes.io/automanaged"] !== undefined;
  }
  const isOwnService = ["services", "endpoints", "endpointslices.discovery.k8s.io"].includes(kindName(entry));
  if (isOwnService) return namespace === "default" && name === "kubernetes";
  return (
    kindName(entry) === "configmaps" && namespace === "kube-system" && name === "extension-apiserver-authentication"
  );
};

const isRole = ({ object }: BackupEntry): boolean => groupOf(object) === "rbac.authorization.k8s.io";

/** Reports whether a server creates the object itself; one that already exists is not a conflict. */
export const isMadeByServer = (entry: BackupEntry): boolean => {
  const { name = "", namespace, labels = {} } = entry.object.metadata;
  switch (kindName(entry)) {
    case "namespaces":
      return name === "default" || serverNamespaces.has(name);
    case "serviceaccounts":
      return name === "default" || namespace === "kube-system";
    case "configmaps":
      return name === "kube-root-ca.crt" || serverNamespaces.has(namespace ?? "");
    case "flowschemas.flowcontrol.apiserver.k8s.io":
    case "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io":
    // Of the addresses that it gives to Services.
    case "ipaddresses.networking.k8s.io":
      return true;
    case "servicecidrs.networking.k8s.io":
      return name === "kubernetes";
    case "priorityclasses.scheduling.k8s.io":
      return name.startsWith("system-");
    default:
      return labels["kubernetes.io/bootstrapping"] !== undefined || (isRole(entry) && /^(kubeadm|system):/.test(name));
  }
};

const ofTheNodes = new Set([
  "nodes",
  "pods",
  "endpoints",
  "endpointslices.discovery.k8s.io",
  "controllerrevisions.apps",
  "certificatesigningrequests.certificates.k8s.io",
  "csinodes.storage.k8s.io",
  "volumeattachments.storage.k8s.io",
]);

/** Reports whether the cluster behind a foreign server recreates the object from the rest: it is not restored. */
export const isMadeByCluster = (entry: BackupEntry): boolean =>
  ofTheNodes.has(kindName(entry)) ||
  (["replicasets.apps", "jobs.batch"].includes(kindName(entry)) &&
    (entry.object.metadata.ownerReferences ?? []).some(({ controller }) => controller === true));
