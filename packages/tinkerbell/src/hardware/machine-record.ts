import { createHash } from "node:crypto";
import type { Hardware } from "../api/hardware.ts";
import { marksOf } from "./machine-marks.ts";

const digestLength = 16;

/** What the status of Hardware records while it counts for the machine that it describes; empty when it describes none. */
export const machineDigest = (hardware: Hardware): string => {
  const keys = [...new Set(marksOf(hardware).map(({ key, kind }) => `${kind === "board" ? "" : "machine "}${key}`))];
  return keys.length === 0
    ? ""
    : createHash("sha256").update(keys.toSorted().join("\n")).digest("hex").slice(0, digestLength);
};

/** Returns whether the status says that Hardware counts for what it describes now. What was changed since has to be judged again. */
export const isRecorded = (hardware: Hardware): boolean => {
  const { machine } = hardware.status ?? {};
  return machine !== undefined && machine !== "" && machine === machineDigest(hardware);
};
