export { infraMachineConformance } from "./conformance/infra-machine.ts";
export type { CloudFault, InfraMachineCloud, InfraMachineSubject } from "./conformance/infra-machine-subject.ts";
export type { SuiteTools } from "./conformance/suite-tools.ts";
