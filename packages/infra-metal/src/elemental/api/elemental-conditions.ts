import {
  conditionTable,
  type ConditionTable,
  conditionTypes,
  infraClusterConditions,
  infraMachineConditions,
  resourceConditions,
} from "@capstan/contract/wire";

const done = { done: "Done" } as const;
const components = {
  waitingForComponents: "WaitingForComponents",
  downloadFailed: "DownloadFailed",
  verificationFailed: "VerificationFailed",
  installFailed: "InstallFailed",
  unsupportedPlatform: "UnsupportedPlatform",
} as const;

/** The conditions of an ElementalCluster. */
const elementalClusterConditions = conditionTable({
  ...infraClusterConditions,
  capiClusterReady: {
    type: "CAPIClusterReady",
    about: "The ElementalCluster has a Cluster as its owner.",
    v1beta1: "CAPIClusterReady",
    reasons: { ...done, missingClusterOwner: "MissingClusterOwner" },
  },
  controlPlaneEndpointReady: {
    type: "ControlPlaneEndpointReady",
    about: "`spec.controlPlaneEndpoint` is set.",
    v1beta1: "ControlPlaneEndpointReady",
    reasons: { ...done, missingControlPlaneEndpoint: "MissingControlPlaneEndpoint" },
  },
});

/** The conditions of an ElementalMachine. */
const elementalMachineConditions = conditionTable({
  ...infraMachineConditions,
  ready: {
    ...infraMachineConditions.ready,
    reasons: {
      missingMachineOwner: "MissingMachineOwner",
      missingAssociatedCluster: "MissingAssociatedCluster",
      missingClusterInfrastructureReady: "MissingClusterInfrastructureReady",
      missingBootstrapSecret: "MissingBootstrapSecret",
      resettingHost: "ResettingHost",
      ...components,
    },
  },
  associationReady: {
    type: "AssociationReady",
    about: "An ElementalHost is associated with the machine.",
    v1beta1: "AssociationReady",
    reasons: {
      ...done,
      missingAvailableHosts: "MissingAvailableHosts",
      associatedHostNotFound: "AssociatedHostNotFound",
    },
  },
  hostReady: {
    type: "HostReady",
    about: "The host is installed and bootstrapped.",
    v1beta1: "HostReady",
    reasons: {
      ...done,
      hostWaitingForInstall: "HostWaitingForInstall",
      hostWaitingForBootstrap: "HostWaitingForBootstrap",
    },
  },
  providerIDReady: {
    type: "ProviderIDReady",
    about: "The Node has the provider ID of the machine.",
    v1beta1: "ProviderIDReady",
    reasons: {
      ...done,
      nodeNotFound: "NodeNotFound",
      waitingForControlPlaneInitialized: "WaitingForControlPlaneInitialized",
      otherProviderID: "OtherProviderID",
    },
  },
});

/** The conditions of an ElementalHost, most of which its agent reports. */
const elementalHostConditions = conditionTable({
  ready: infraMachineConditions.ready,
  registrationReady: {
    type: "RegistrationReady",
    about: "The host is registered.",
    v1beta1: "RegistrationReady",
    reasons: { ...done, registrationFailed: "RegistrationFailed" },
  },
  installationReady: {
    type: "InstallationReady",
    about: "The operating system is installed.",
    v1beta1: "InstallationReady",
    reasons: {
      ...done,
      waitingForInstallation: "WaitingForInstallation",
      cloudConfigInstallationFailed: "CloudConfigInstallationFailed",
      installationFailed: "InstallationFailed",
    },
  },
  bootstrapReady: {
    type: "BootstrapReady",
    about: "The host has executed its bootstrap data.",
    v1beta1: "BootstrapReady",
    reasons: { ...done, waitingForBootstrap: "WaitingForBootstrap", bootstrapFailed: "BootstrapFailed" },
  },
  resetReady: {
    type: "ResetReady",
    about: "The host has been reset.",
    v1beta1: "ResetReady",
    reasons: { ...done, waitingForReset: "WaitingForReset", resetFailed: "ResetFailed", resetSkipped: "ResetSkipped" },
  },
  osVersionReady: {
    type: "OSVersionReady",
    about: "The host runs the desired version of its operating system.",
    v1beta1: "OSVersionReady",
    reasons: {
      ...done,
      waitingForOSReconcile: "WaitingForOSReconcile",
      inPlaceUpdateNotPending: "InPlaceUpdateNotPending",
      osVersionReconciliationFailed: "OSVersionReconciliationFailed",
      waitingForPostReconcileReboot: "WaitingForPostReconcileReboot",
    },
  },
  componentsReady: {
    type: "ComponentsReady",
    about: "The component bundle is installed; only with component bundles.",
    v1beta1: "ComponentsReady",
    reasons: { ...done, ...components },
  },
  paused: infraMachineConditions.paused,
});

/** The conditions of an ElementalRegistration. */
const elementalRegistrationConditions = conditionTable({
  ready: {
    ...resourceConditions.ready,
    reasons: {
      endpointMissing: "EndpointMissing",
      keyMissing: "RegistrationKeyMissing",
      tokenInvalid: "RegistrationTokenInvalid",
      tokenExpired: "RegistrationTokenExpired",
      settingsMissing: "SettingsMissing",
      keyBeingMade: "KeyBeingMade",
      tokenBeingSigned: "TokenBeingSigned",
    },
  },
  hostsAccepted: {
    type: "HostsAccepted",
    about: "The registration accepts further hosts; set once its limit has been reached.",
    v1beta1: "HostsAccepted",
    reasons: { ...done, hostLimitReached: "HostLimitReached" },
  },
  paused: resourceConditions.paused,
});

/** The conditions of Elemental's kinds, by kind. */
export const elementalConditions: Readonly<Record<string, ConditionTable>> = {
  ElementalCluster: elementalClusterConditions,
  ElementalMachine: conditionTable({
    ...elementalMachineConditions,
    componentsReady: elementalHostConditions.componentsReady,
  }),
  ElementalHost: elementalHostConditions,
  ElementalRegistration: elementalRegistrationConditions,
};

/** Condition types of Elemental's kinds. */
export const ElementalCondition = {
  ...conditionTypes(elementalClusterConditions),
  ...conditionTypes(elementalMachineConditions),
  ...conditionTypes(elementalHostConditions),
  ...conditionTypes(elementalRegistrationConditions),
} as const;

/** Reasons of the conditions of Elemental's kinds; errors have their own. */
export const ElementalReason = {
  ...elementalClusterConditions.capiClusterReady.reasons,
  ...elementalClusterConditions.controlPlaneEndpointReady.reasons,
  ...elementalMachineConditions.ready.reasons,
  ...elementalMachineConditions.associationReady.reasons,
  ...elementalMachineConditions.hostReady.reasons,
  ...elementalMachineConditions.providerIDReady.reasons,
  ...elementalHostConditions.registrationReady.reasons,
  ...elementalHostConditions.installationReady.reasons,
  ...elementalHostConditions.bootstrapReady.reasons,
  ...elementalHostConditions.resetReady.reasons,
  ...elementalHostConditions.osVersionReady.reasons,
  ...elementalRegistrationConditions.ready.reasons,
  ...elementalRegistrationConditions.hostsAccepted.reasons,
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
