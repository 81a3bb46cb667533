export { BmcJob } from "./api/bmc-job.ts";
export { BmcMachine } from "./api/bmc-machine.ts";
export { BmcTask } from "./api/bmc-task.ts";
export { hardwareNamespaceLabel, hardwareOwnerLabels, provisionedAnnotation } from "./api/hardware-owner.ts";
export { Hardware } from "./api/hardware.ts";
export {
  userDataSecretAnnotation,
  userDataSecretKeys,
  userDataSecretOf,
  userDataSecretType,
} from "./api/user-data-secret.ts";
export { Template } from "./api/template.ts";
export { Workflow } from "./api/workflow.ts";
export { WorkflowRuleSet } from "./api/workflow-rule-set.ts";
export {
  claimedAmong,
  firstOf,
  hardwareOfSameMachine,
  indexMachines,
  saysFirst,
  saysSecond,
} from "./hardware/same-machine.ts";
export type { OtherHardware } from "./hardware/same-machine.ts";
export type { BmcAction } from "./api/bmc-job.ts";
export type { HardwareSpec } from "./api/hardware.ts";
export type { WorkflowAction, WorkflowStatus, WorkflowTask } from "./api/workflow.ts";
export { bootFields } from "./api/workflow/boot-options.ts";
