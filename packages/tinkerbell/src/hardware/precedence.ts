import { byText, keyOf, keyText } from "@capstan/kube-values";
import { hardwareOwnerLabels, provisionedAnnotation } from "../api/hardware-owner.ts";
import type { Hardware } from "../api/hardware.ts";
import { isRecorded } from "./machine-record.ts";

/** Whether a machine of a Cluster has it. */
export const isClaimed = ({ metadata }: Hardware): boolean => metadata.labels?.[hardwareOwnerLabels.name] !== undefined;

/** How far the machine that has some Hardware is. */
const standing = (hardware: Hardware): number => {
  if (!isClaimed(hardware)) return 0;
  if (hardware.metadata.annotations?.[provisionedAnnotation] === "true") return 3;
  return hardware.spec?.userData === undefined ? 1 : 2;
};

const byRecord = (a: Hardware, b: Hardware): number => Number(isRecorded(b)) - Number(isRecorded(a));
const byStanding = (a: Hardware, b: Hardware): number => standing(b) - standing(a);

/**
 * Sorts Hardware of one machine: the one that counts comes first. Everything it depends on is in the objects; between namespaces the record
 * in the status, which users do not write, comes before what they do.
 */
export const byPrecedence = (a: Hardware, b: Hardware): number =>
  (a.metadata.namespace === b.metadata.namespace ? 0 : byRecord(a, b)) ||
  byStanding(a, b) ||
  byText(a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? "") ||
  byText(keyText(keyOf(a)), keyText(keyOf(b)));
