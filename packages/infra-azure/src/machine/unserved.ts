import type { Unserved } from "../cluster/unserved.ts";
import type { DefaultedMachine } from "./machine-defaults.ts";

/** Fields of an AzureMachine that nothing comes of: they are refused, never ignored. */
export const unservedMachine = ({
  roleAssignmentName,
  systemAssignedIdentityRole,
}: DefaultedMachine): readonly Unserved[] => {
  const instead = "give the machine's identity its role yourself";
  return [
    ...(systemAssignedIdentityRole === undefined ? [] : [{ field: "spec.systemAssignedIdentityRole", instead }]),
    ...(roleAssignmentName === undefined ? [] : [{ field: "spec.roleAssignmentName", instead }]),
  ];
};
