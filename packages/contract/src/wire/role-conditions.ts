import { conditionTable } from "./condition-table.ts";
import { replicasConditions } from "./machine-conditions.ts";

const ready = { type: "Ready", about: "The object is reconciled and usable.", v1beta1: "Ready" } as const;
const { paused } = replicasConditions;

/** Set once another installation with a newer epoch has been seen at the cloud. */
const installationCurrent = {
  type: "InstallationCurrent",
  about: "This installation manages the resources of the object; set once a newer one has been seen at the cloud.",
  v1beta1: "InstallationCurrent",
  reasons: { current: "InstallationCurrent", superseded: "InstallationSuperseded" },
} as const;

const provisioned = {
  type: "Provisioned",
  about: "The infrastructure has been built; stays True when it fails later.",
  v1beta1: "Provisioned",
  reasons: { provisioned: "Provisioned" },
} as const;

/** The conditions of a kind that stands for one thing at a cloud. */
export const resourceConditions = conditionTable({
  ready,
  owned: {
    type: "Owned",
    about: "Capstan created or adopted the thing, and deletes it with the object.",
    v1beta1: "Owned",
    reasons: { owned: "Owned", namedById: "NamedById", released: "NotMade" },
  },
  installationCurrent,
  paused,
});

/** The conditions of an infrastructure cluster. */
export const infraClusterConditions = conditionTable({ ready, provisioned, installationCurrent, paused });

/** The conditions of an infrastructure machine. */
export const infraMachineConditions = conditionTable({
  ready,
  bootstrapSucceeded: {
    type: "BootstrapSucceeded",
    about: "The machine reported that bootstrapping succeeded.",
    v1beta1: "BootstrapSucceeded",
    reasons: { succeeded: "Succeeded", inProgress: "InProgress", failed: "Failed", timedOut: "TimedOut" },
  },
  provisioned,
  dataUploaded: {
    type: "BootstrapDataUploaded",
    about: "The bootstrap data was uploaded to the object store.",
    v1beta1: "BootstrapDataUploaded",
    reasons: { stored: "Stored" },
  },
  dataDeleted: {
    type: "BootstrapDataDeleted",
    about: "Nothing of the machine is left in the object store.",
    v1beta1: "BootstrapDataDeleted",
    reasons: { deleted: "BootstrapDataDeleted", failed: "BootstrapDataDeleteFailed" },
  },
  installationCurrent,
  paused,
});

/** The conditions of an infrastructure machine pool. */
export const infraMachinePoolConditions = conditionTable({ ready, provisioned, installationCurrent, paused });

/** The conditions of a bootstrap config. Ready is their summary. */
export const bootstrapConditions = conditionTable({
  ready,
  dataSecretAvailable: {
    type: "DataSecretAvailable",
    summary: "always",
    about: "The Secret with the bootstrap data exists.",
    v1beta1: "DataSecretAvailable",
    reasons: { available: "Available", notAvailable: "NotAvailable" },
  },
  paused,
});

/** The condition of a bootstrap config or control plane that needs certificates of the cluster. */
export const certificatesAvailable = {
  type: "CertificatesAvailable",
  summary: "ifReported",
  about: "The certificates of the cluster exist and are readable.",
  v1beta1: "CertificatesAvailable",
  reasons: {
    available: "Available",
    notAvailable: "NotAvailable",
    corrupted: "CertificatesCorrupted",
    generationFailed: "CertificatesGenerationFailed",
  },
} as const;

/** The conditions of a control plane. */
export const controlPlaneConditions = conditionTable({
  available: {
    type: "Available",
    about: "The API server serves.",
    v1beta1: "Available",
    reasons: { available: "Available", notAvailable: "NotAvailable" },
  },
  ready,
  initialized: {
    type: "Initialized",
    about: "The first API server has answered; stays True.",
    v1beta1: "Initialized",
    reasons: { initialized: "Initialized", notInitialized: "NotInitialized" },
  },
  ...replicasConditions,
});
