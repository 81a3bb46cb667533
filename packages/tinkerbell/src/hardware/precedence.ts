import { byText, keyOf, keyText } from "@capstan/kube-values";
import { hardwareOwnerLabels, provisionedAnnotation } from "../api/hardware-owner.ts";
import type { Hardware } from "../api/hardware.ts";
import { userDataSecretAnnotation } from "../api/user-data-secret.ts";
import { isRecorded } from "./machine-record.ts";

/** Returns whether a machine of a Cluster has it. */
export const isClaimed = ({ metadata }: Hardware): boolean => metadata.labels?.[hardwareOwnerLabels.name] !== undefined;

/** Ranks Hardware by the progress of its machine: 0 without a machine, 1 claimed, 2 with user data, 3 provisioned. */
const standing = (hardware: Hardware): number => {
  if (!isClaimed(hardware)) return 0;
  const { annotations = {} } = hardware.metadata;
  if (annotations[provisionedAnnotation] === "true") return 3;
  return annotations[userDataSecretAnnotation] === undefined && hardware.spec?.userData === undefined ? 1 : 2;
};

const byRecord = (a: Hardware, b: Hardware): number => Number(isRecorded(b)) - Number(isRecorded(a));
const byStanding = (a: Hardware, b: Hardware): number => standing(b) - standing(a);

/**
 * Sorts Hardware of one machine: the one that counts comes first. Everything it depends on is in the objects; between namespaces that is
 * nothing that users write, neither labels nor annotations: the record in the status, and which was there first.
 */
export const byPrecedence = (a: Hardware, b: Hardware): number =>
  (a.metadata.namespace === b.metadata.namespace ? byStanding(a, b) : byRecord(a, b)) ||
  byText(a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? "") ||
  byText(keyText(keyOf(a)), keyText(keyOf(b)));
