export { createEtcdClient } from "./etcd/etcd-client.ts";
export type { EtcdClient } from "./etcd/etcd-client.ts";
