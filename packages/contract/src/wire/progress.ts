import { isJsonObject, type KubeObject } from "@capstan/schema";
import type { MergePatch } from "../patch/merge-patch.ts";

/** Returns the part of the conditions that progress must not change: type, status and severity, in any order. */
const verdicts = (conditions: readonly unknown[]): string =>
  conditions
    .map((condition) => {
      const { type, status, severity } = isJsonObject(condition) ? condition : {};
      return JSON.stringify([type, status, severity]);
    })
    .toSorted()
    .join();

const isMet = (condition: unknown): boolean => isJsonObject(condition) && condition["status"] === "True";

const explainsOnly = (current: unknown, patch: MergePatch, mayWait: (field: string) => boolean): boolean =>
  Object.entries(patch).every(([key, wanted]) => {
    const present = isJsonObject(current) ? current[key] : undefined;
    if (key === "conditions" && Array.isArray(wanted)) {
      return Array.isArray(present) ? verdicts(present) === verdicts(wanted) : !wanted.some(isMet);
    }
    const isBelow = isJsonObject(wanted) && (present === undefined || isJsonObject(present));
    return mayWait(key) || (isBelow && explainsOnly(present, wanted, nothing));
  });

const nothing = (): boolean => false;

/**
 * Returns whether a merge patch of `status` changes nothing but how conditions are explained: reasons, messages and observed generations, while
 * each keeps its status; or says for the first time that nothing is true yet. Such a change may wait a little for company; everything
 * else is news, but for the fields of the status that `mayWait` names. The path starts at the root.
 */
export const isProgress = (
  object: KubeObject,
  { status }: MergePatch,
  mayWait: (field: string) => boolean = nothing,
): boolean => isJsonObject(status) && explainsOnly(object["status"], status, mayWait);

/** Time that a progress update may wait to be combined with others, in milliseconds. */
export const progressDelayMs = 1500;

/** The same if many objects make progress at once, in milliseconds. */
export const longestProgressDelayMs = 6000;
