import type { UnpackLimits } from "../archive/unpack.ts";

/** Largest bundle that a host unpacks, for one platform. */
export const bundleLimits: UnpackLimits = { bytes: 16 * 2 ** 30, entries: 100_000 };
