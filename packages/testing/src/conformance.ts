export { bootstrapConformance } from "./conformance/bootstrap.ts";
export type { BootstrapSubject } from "./conformance/bootstrap.ts";
export { infraClusterConformance } from "./conformance/infra-cluster.ts";
export type { InfraClusterCloud, InfraClusterSubject } from "./conformance/infra-cluster.ts";
export { infraMachineConformance } from "./conformance/infra-machine.ts";
export type { CloudFault, InfraMachineCloud, InfraMachineSubject } from "./conformance/infra-machine-subject.ts";
export type { SuiteTools } from "./conformance/suite-tools.ts";
export { objectStoreConformance } from "./conformance/object-store.ts";
export type { ObjectStoreSubject } from "./conformance/object-store-subject.ts";
