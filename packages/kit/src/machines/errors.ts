/** Codes of what goes wrong when Machines are made. */
export const MachinesErrorCode = {
  namingInvalid: "machines.naming_invalid",
  templateMissing: "machines.template_missing",
} as const;
