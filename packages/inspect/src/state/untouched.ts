import type { KubeObject } from "@capstan/schema";

/** What is said of an object that has no status: its controller has not come to it, or runs nowhere. */
export const untouched = "no controller has reconciled it yet";

/** Returns whether nothing has written the status of an object. */
export const isUntouched = (object: KubeObject): boolean => Object.keys(object["status"] ?? {}).length === 0;
