import { createHash } from "node:crypto";
import type { Hardware } from "../api/hardware.ts";
import { marksOf } from "./machine-marks.ts";

const digestLength = 16;

/**
 * Returns the digest of the machine that Hardware describes; empty if it describes none. The status records it while the Hardware counts
 * for that machine.
 */
export const machineDigest = (hardware: Hardware): string => {
  const keys = [...new Set(marksOf(hardware).map(({ key, kind }) => `${kind === "board" ? "" : "machine "}${key}`))];
  return keys.length === 0
    ? ""
    : createHash("sha256").update(keys.toSorted().join("\n")).digest("hex").slice(0, digestLength);
};

/** By Hardware, which is asked about again and again where much of it describes one machine; that of the cache does not change. */
const recorded = new WeakMap<Hardware, boolean>();

/** Returns whether the status says that Hardware counts for what it describes now. What was changed since has to be judged again. */
export const isRecorded = (hardware: Hardware): boolean => {
  const known = recorded.get(hardware);
  if (known !== undefined) return known;
  const { machine } = hardware.status ?? {};
  const isSame = machine !== undefined && machine !== "" && machine === machineDigest(hardware);
  recorded.set(hardware, isSame);
  return isSame;
};
