import { bootstrapFormats } from "@capstan/contract/wire";
import { gzip } from "../delivery/gzip.ts";
import { packedIgnition } from "./ignition-document.ts";

/** A document packed by gzip, in the way that machines unpack it: raw for cloud-init, held by a small config for Ignition. */
export const packedDocument = (document: string, format: string): string | Uint8Array =>
  format === bootstrapFormats.ignition ? packedIgnition(document) : gzip(Buffer.from(document));
