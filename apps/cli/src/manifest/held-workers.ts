import type { ManifestObject } from "@capstan/apiserver";
import { Annotation } from "@capstan/contract";

/** A MachineDeployment or MachineSet in the files, and the preflight checks that keep it from creating Machines. */
export interface HeldItem {
  readonly item: ManifestObject;
  readonly checks: readonly string[];
  /** The place in the file and what to do. */
  readonly text: string;
}

/** Returns the object with the annotation that leaves the checks out, in addition to those that it leaves out already. */
export const withoutChecks = ({ item, checks }: Pick<HeldItem, "item" | "checks">): ManifestObject => {
  const { metadata } = item.object;
  const before = metadata.annotations?.[Annotation.skipPreflightChecks] ?? "";
  const names = [...before.split(","), ...checks].map((name) => name.trim()).filter((name) => name !== "");
  const annotations = { ...metadata.annotations, [Annotation.skipPreflightChecks]: [...new Set(names)].join(",") };
  return { ...item, object: { ...item.object, metadata: { ...metadata, annotations } } };
};
