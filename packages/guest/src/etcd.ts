export { createEtcdClient } from "./etcd/etcd-client.ts";
export type { EtcdClient } from "./etcd/etcd-client.ts";
export { EtcdCluster } from "./etcd/etcd-cluster.ts";
export { serveEtcd } from "./etcd/etcd-server.ts";
export type { EtcdServer } from "./etcd/etcd-server.ts";
export { managedEtcd } from "./controllers/managed-etcd.ts";
