import { Group, Label } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

const version = "v1beta1";

/** Fields that all kinds of Elemental share. */
export const elementalKind = {
  group: Group.infrastructure,
  version,
  labels: {
    [Label.provider]: "infrastructure-elemental",
    [contractLabel("v1beta1")]: version,
  },
} as const;

/** On ElementalMachines and ElementalHosts. */
export const elementalFinalizer = `elementalmachine.${Group.infrastructure}`;

/** On ElementalClusters. */
export const clusterFinalizer = `elementalcluster.${Group.infrastructure}`;

const host = `elementalhost.${Group.infrastructure}`;
const registration = `elementalregistration.${Group.infrastructure}`;

/** Labels of ElementalHosts, as upstream's programs read and write them. */
export const HostLabel = {
  /** Name of the Machine that uses it, shortened to the length of a label. */
  machineName: `${host}/machine-name`,
  /** Name of the ElementalMachine that uses it, shortened likewise. */
  elementalMachineName: `${host}/elemental-machine-name`,
  installed: `${host}/installed`,
  bootstrapped: `${host}/bootstrapped`,
  needsReset: `${host}/needs-reset`,
  reset: `${host}/reset`,
  /** `pending` or `done`. */
  inPlaceUpdate: `${host}/in-place-update`,
} as const;

/** Annotations of ElementalHosts. */
export const HostAnnotation = {
  registrationName: `${registration}/name`,
  registrationNamespace: `${registration}/namespace`,
  publicKey: `${host}/pub-key`,
  /** `true`: the host is dead, and its machine goes without waiting for a reset. */
  forceRelease: `${host}/force-release`,
} as const;

/** The Secret's key with the private key of a registration. */
export const registrationKey = "privKey";

/** Columns that several kinds have. */
export const clusterColumn = {
  name: "Cluster",
  path: `.metadata.labels['${Label.clusterName.replaceAll(".", "\\.")}']`,
} as const;
export const machineColumn = (label: string): { readonly name: string; readonly path: string } => ({
  name: "Machine",
  path: `.metadata.labels['${label.replaceAll(".", "\\.")}']`,
});
export const readyColumn = { name: "Ready", path: '.status.conditions[?(@.type=="Ready")].status' } as const;
export const ageColumn = { name: "Age", path: ".metadata.creationTimestamp", type: "date" } as const;
