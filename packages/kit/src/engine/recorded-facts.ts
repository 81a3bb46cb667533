import type { MergePatch } from "@capstan/contract/wire";
import { mergePatches } from "@capstan/contract/wire";
import type { ObjectFacts } from "./observation.ts";

/** What is known, on the object; only status while it is being deleted. */
export const recordedFacts = ({ spec, status }: ObjectFacts, deleting: boolean): MergePatch =>
  mergePatches(status && { status }, spec && !deleting ? { spec } : undefined);
