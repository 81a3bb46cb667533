/** Types of the conditions of Elemental's kinds, beside Ready. */
export const ElementalCondition = {
  // ElementalCluster
  capiClusterReady: "CAPIClusterReady",
  controlPlaneEndpointReady: "ControlPlaneEndpointReady",
  // ElementalMachine
  associationReady: "AssociationReady",
  hostReady: "HostReady",
  providerIDReady: "ProviderIDReady",
  // ElementalHost
  registrationReady: "RegistrationReady",
  installationReady: "InstallationReady",
  bootstrapReady: "BootstrapReady",
  resetReady: "ResetReady",
  osVersionReady: "OSVersionReady",
  /** On hosts and machines with component bundles. */
  componentsReady: "ComponentsReady",
  /** On registrations that have, or had, as many hosts as they may have. */
  hostsAccepted: "HostsAccepted",
} as const;

/** Reasons of the conditions of Elemental's kinds. Beside them stand those of errors. */
export const ElementalReason = {
  // Hosts, most of them reported by their agents.
  registrationFailed: "RegistrationFailed",
  waitingForInstallation: "WaitingForInstallation",
  cloudConfigInstallationFailed: "CloudConfigInstallationFailed",
  installationFailed: "InstallationFailed",
  waitingForBootstrap: "WaitingForBootstrap",
  bootstrapFailed: "BootstrapFailed",
  waitingForReset: "WaitingForReset",
  resetFailed: "ResetFailed",
  resetSkipped: "ResetSkipped",
  waitingForOSReconcile: "WaitingForOSReconcile",
  inPlaceUpdateNotPending: "InPlaceUpdateNotPending",
  osVersionReconciliationFailed: "OSVersionReconciliationFailed",
  waitingForPostReconcileReboot: "WaitingForPostReconcileReboot",
  waitingForComponents: "WaitingForComponents",
  downloadFailed: "DownloadFailed",
  verificationFailed: "VerificationFailed",
  installFailed: "InstallFailed",
  unsupportedPlatform: "UnsupportedPlatform",
  // Machines
  missingMachineOwner: "MissingMachineOwner",
  missingAssociatedCluster: "MissingAssociatedCluster",
  missingClusterInfrastructureReady: "MissingClusterInfrastructureReady",
  missingBootstrapSecret: "MissingBootstrapSecret",
  missingAvailableHosts: "MissingAvailableHosts",
  associatedHostNotFound: "AssociatedHostNotFound",
  hostWaitingForInstall: "HostWaitingForInstall",
  hostWaitingForBootstrap: "HostWaitingForBootstrap",
  nodeNotFound: "NodeNotFound",
  waitingForControlPlaneInitialized: "WaitingForControlPlaneInitialized",
  otherProviderID: "OtherProviderID",
  resettingHost: "ResettingHost",
  // Clusters
  missingClusterOwner: "MissingClusterOwner",
  missingControlPlaneEndpoint: "MissingControlPlaneEndpoint",
  // Registrations
  endpointMissing: "EndpointMissing",
  keyMissing: "RegistrationKeyMissing",
  tokenInvalid: "RegistrationTokenInvalid",
  tokenExpired: "RegistrationTokenExpired",
  settingsMissing: "SettingsMissing",
  keyBeingMade: "KeyBeingMade",
  tokenBeingSigned: "TokenBeingSigned",
  hostLimitReached: "HostLimitReached",
  /** Of conditions that hold. */
  done: "Done",
} as const;
export type ElementalReason = (typeof ElementalReason)[keyof typeof ElementalReason];

/** `status.phase` of a host. */
export const hostPhases = [
  "Registering",
  "Finalizing Registration",
  "Installing",
  "Bootstrapping",
  "Running",
  "Triggering Reset",
  "Resetting",
  "Reconciling OS Version",
  "Installing Components",
] as const;
export type HostPhase = (typeof hostPhases)[number];
