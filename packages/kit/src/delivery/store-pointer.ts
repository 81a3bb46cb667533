import { createHash } from "node:crypto";
import { CapstanError } from "@capstan/contract";
import type { DeliveryRoute, UserData } from "@capstan/contract/v1";
import { bootstrapFormats } from "@capstan/contract/wire";
import { tooLarge } from "./choose-route.ts";
import { userDataOf } from "./user-data.ts";

const defaultIgnitionVersion = "2.3.0";

const ignitionVersionOf = (payload: Uint8Array): string => {
  try {
    const document = JSON.parse(Buffer.from(payload).toString("utf8")) as { ignition?: { version?: unknown } };
    const version = document.ignition?.version;
    return typeof version === "string" && version !== "" ? version : defaultIgnitionVersion;
  } catch {
    // Not JSON: Ignition itself will say so, after it has fetched it.
    return defaultIgnitionVersion;
  }
};

const ignitionPointer = (url: string, payload: Uint8Array): string => {
  const hash = `sha512-${createHash("sha512").update(payload).digest("hex")}`;
  const version = ignitionVersionOf(payload);
  return JSON.stringify({ ignition: { version, config: { replace: { source: url, verification: { hash } } } } });
};

/** The small document that makes the machine fetch the real one: an include for cloud-init, a replacing config for Ignition. */
export const pointerTo = (url: string, format: string, payload: Uint8Array): Uint8Array =>
  Buffer.from(format === bootstrapFormats.ignition ? ignitionPointer(url, payload) : `#include\n${url}\n`, "utf8");

/**
 * The original bytes in the object store of the cluster, and a pointer to them in the user-data field. The limit is that of the field, so
 * it is the pointer's. Throws `bootstrap.pointer_too_large` when even that does not fit, and what the store throws.
 */
export const storePointer = (
  limit: Pick<DeliveryRoute, "limitBytes" | "measure">,
): DeliveryRoute<"object-store", UserData> => ({
  name: "object-store",
  formats: [bootstrapFormats.cloudConfig, bootstrapFormats.ignition],
  unavailable: (_data, { store }) =>
    store === undefined ? "the cluster has no object store; configure one" : undefined,
  deliver: async (data, { store }) => {
    if (store === undefined) throw new TypeError("the chosen delivery is not available");
    const { url } = await store.upload(data.bytes);
    const bytes = pointerTo(url, data.format, data.bytes);
    const why = tooLarge({ ...data, bytes }, limit);
    if (why === undefined) return userDataOf(bytes);
    throw new CapstanError({
      code: "bootstrap.pointer_too_large",
      reason: "BootstrapPointerTooLarge",
      message: `the pointer to the object store is too large: ${why}`,
      retry: { kind: "never" },
    });
  },
});
