export { LinodeCluster } from "./api/linode-cluster.v1alpha2.ts";
export { LinodeClusterTemplate } from "./api/linode-cluster-template.v1alpha2.ts";
export { LinodeMachine } from "./api/linode-machine.v1alpha2.ts";
export { LinodeMachineTemplate } from "./api/linode-machine-template.v1alpha2.ts";
export { LinodeReason } from "./api/linode-conditions.ts";
