export { AcmeCluster } from "./api/acme-cluster.v1alpha1.ts";
export { AcmeMachineTemplate } from "./api/acme-machine-template.v1alpha1.ts";
export { AcmeMachine } from "./api/acme-machine.v1alpha1.ts";
