import { CapstanError } from "@capstan/contract";
import type { DeliveryLimits } from "@capstan/contract/v1";
import { bootstrapFormats } from "@capstan/contract/wire";
import { gzipSync } from "fflate";

/** How the bytes of one machine travel. For the object store, `bytes` are the original ones: the pointer is made later. */
export interface Route {
  readonly route: "direct" | "gzip" | "object-store";
  readonly bytes: Uint8Array;
}

export interface RouteInput {
  readonly bytes: Uint8Array;
  readonly format: string;
  readonly limits: DeliveryLimits;
  /** Whether the cluster names an object store. */
  readonly hasStore: boolean;
  /** Default: level 9, no name, no time, so that retries give the same bytes. */
  readonly compress?: (bytes: Uint8Array) => Uint8Array;
}

/** What the cloud measures of some user-data. */
export const measuredBytes = (sizeBytes: number, limits: DeliveryLimits): number =>
  limits.measure === "base64" ? Math.ceil(sizeBytes / 3) * 4 : sizeBytes;

/** The limit itself is already too large. */
export const fits = (sizeBytes: number, limits: DeliveryLimits): boolean =>
  measuredBytes(sizeBytes, limits) < limits.limitBytes;

export const gzip = (bytes: Uint8Array): Uint8Array => gzipSync(bytes, { level: 9, mtime: 0 });

/** Only cloud-init unpacks user-data; for Ignition a packed document is no document. */
const mayCompress = ({ format, limits }: RouteInput): boolean =>
  limits.gzip === "allowed" && format === bootstrapFormats.cloudConfig;

const compressed = (input: RouteInput): Uint8Array | undefined => {
  try {
    return (input.compress ?? gzip)(input.bytes);
  } catch {
    // A failing compression is no failure of the delivery: the next route takes over.
    return undefined;
  }
};

/** Directly if the data fits, packed if that fits, else by the object store. Throws `bootstrap.too_large` when there is none. */
export const chooseRoute = (input: RouteInput): Route => {
  const { bytes, limits } = input;
  if (fits(bytes.length, limits)) return { route: "direct", bytes };
  if (mayCompress(input)) {
    const packed = compressed(input);
    if (packed !== undefined && fits(packed.length, limits)) return { route: "gzip", bytes: packed };
  }
  if (input.hasStore) return { route: "object-store", bytes };
  throw new CapstanError({
    code: "bootstrap.too_large",
    reason: "BootstrapDataTooLarge",
    message: `the bootstrap data measures ${measuredBytes(bytes.length, limits)} bytes, user-data must stay below ${limits.limitBytes}: enable the object store of the cluster, or make the data smaller`,
    retry: { kind: "never" },
    details: { sizeBytes: bytes.length, limitBytes: limits.limitBytes },
  });
};
