import type { KubeObject } from "@capstan/schema";

/** Text for an object without status: its controller has not reconciled it yet, or runs nowhere. */
export const untouched = "no controller has reconciled it yet";

/** Returns whether nothing has written the status of an object. */
export const isUntouched = (object: KubeObject): boolean => Object.keys(object["status"] ?? {}).length === 0;
