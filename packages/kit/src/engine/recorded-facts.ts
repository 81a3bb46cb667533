import type { MergePatch } from "@capstan/contract/wire";
import { mergePatches } from "@capstan/contract/wire";
import type { ObjectFacts } from "./observation.ts";

/** Returns a patch of the known facts; only status while the object is being deleted. */
export const recordedFacts = ({ spec, status }: ObjectFacts, deleting: boolean): MergePatch =>
  mergePatches(status && { status }, spec && !deleting ? { spec } : undefined);
