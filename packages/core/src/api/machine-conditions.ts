import { conditionReasons, machineConditions } from "@capstan/contract/wire";

/** Reasons of a Machine's conditions, by the type they belong to. Every type may also have `InternalError`. */
export const MachineReason = {
  ...conditionReasons(machineConditions),
  /** Those that only `v1beta1` has. */
  older: {
    nodeInspectionFailed: "NodeInspectionFailed",
    nodeNotFound: "NodeNotFound",
    hasRemediateAnnotation: "HasRemediateMachineAnnotation",
  },
} as const;
