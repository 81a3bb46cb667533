import { ConditionReason } from "@capstan/contract/wire";

/** Reasons the engine writes into conditions. */
export const LifeReason = {
  creating: "Creating",
  missing: "InstanceMissing",
  deleting: "Deleting",
  /** On an object that a removal needs. */
  held: "Held",
  holdRefused: "HoldRefused",
  holdNotReleased: "HoldNotReleased",
  internalError: ConditionReason.internalError,
} as const;

/** The reason that stands for a step: its name in PascalCase. */
export const stepReason = (step: string): string =>
  step
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");

/** The reason that stands for a verb that continues: one of the engine's, or that of a step. */
export const verbReason = (verb: string): string => {
  const reasons: Readonly<Record<string, string>> = { create: LifeReason.creating, remove: LifeReason.deleting };
  return reasons[verb] ?? stepReason(verb);
};
