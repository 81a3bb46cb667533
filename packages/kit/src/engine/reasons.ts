/** Reasons the shells write into conditions. */
export const ShellReason = {
  waitingForClusterInfrastructure: "WaitingForClusterInfrastructure",
  waitingForBootstrapData: "WaitingForBootstrapData",
  waitingForMachines: "WaitingForMachines",
  creating: "Creating",
  provisioned: "Provisioned",
  missing: "InstanceMissing",
  deleting: "Deleting",
  internalError: "InternalError",
} as const;

/** Condition of infrastructure kinds: the infrastructure has been built. Stays True when it later fails; `Ready` tells that. */
export const provisionedCondition = "Provisioned";

/** The reason that stands for a step: its name in PascalCase. */
export const stepReason = (step: string): string =>
  step
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");
