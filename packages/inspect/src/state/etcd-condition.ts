import { conditionsOf, type Condition } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";

/** The condition of a control plane about its etcd; k3s' provider has another name for it. */
const types = ["EtcdClusterHealthy", "EtcdClusterHealthyCondition"];

/** The condition that tells members, quorum and leader; `undefined` where a control plane has none, as with an external etcd. */
export const etcdCondition = (object: KubeObject): Condition | undefined =>
  conditionsOf(object).find(({ type }) => types.includes(type));
