import type { EtcdKeyValue } from "@capstan/kit/control-plane";

type Keys = ReadonlyMap<string, EtcdKeyValue>;

/** The writes that make a cluster what it was, in their order. */
export interface RestorePlan {
  readonly put: readonly EtcdKeyValue[];
  readonly remove: readonly EtcdKeyValue[];
  /** The number of keys that are as they were. */
  readonly same: number;
}

/**
 * Keys that stay as they are: what belongs to machines, which are not restored. A Node that comes back or goes would take its member of
 * etcd along on RKE2 and k3s, and machines that are joining need their tokens.
 */
const ofMachines: readonly RegExp[] = [
  /^\/registry\/minions\//,
  /^\/registry\/csinodes\//,
  /^\/registry\/leases\//,
  /^\/registry\/masterleases\//,
  /^\/registry\/coordination\.k8s\.io\/leases\//,
  /^\/registry\/events\//,
  /^\/registry\/certificatesigningrequests\//,
  /^\/registry\/certificates\.k8s\.io\//,
  /^\/registry\/secrets\/kube-system\/(?:bootstrap-token-|(?:k3s|rke2)-serving$|.*\.node-password\.)/,
  /^\/registry\/pods\/kube-system\/(?:etcd|kube-apiserver|kube-controller-manager|kube-scheduler|kube-proxy)-/,
];

const isRestored = ({ hasLease, key }: EtcdKeyValue): boolean =>
  key.startsWith("/registry/") && !hasLease && !ofMachines.some((pattern) => pattern.test(key));

const byCreation = (left: EtcdKeyValue, right: EtcdKeyValue): number =>
  left.created < right.created ? -1 : left.created > right.created ? 1 : 0;

/** Plans a restore: owners are written before what belongs to them, and removed after it. */
export const planRestore = (snapshot: Keys, present: Keys): RestorePlan => {
  const wanted = [...snapshot.values()].filter(isRestored);
  const put = wanted.filter(({ key, value }) => present.get(key)?.value.equals(value) !== true);
  const remove = [...present.values()].filter((each) => isRestored(each) && !snapshot.has(each.key));
  return {
    put: put.toSorted(byCreation),
    remove: remove.toSorted(byCreation).toReversed(),
    same: wanted.length - put.length,
  };
};

const namespaceKey = "/registry/namespaces/kube-system";
const uid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The uid of the namespace kube-system, which no two clusters share; it stands in JSON and in protobuf as text. */
export const clusterUid = (keys: Keys): string | undefined =>
  uid.exec(keys.get(namespaceKey)?.value.toString("latin1") ?? "")?.[0];
