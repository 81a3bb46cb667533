import { createHash } from "node:crypto";
import { bootstrapFormats } from "@capstan/contract/wire";

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
