import type { StoredObject } from "../objects/stored-object.ts";
import type { BlobCall } from "./blob-call.ts";
import { blobRefusal } from "./blob-refusal.ts";

const unmet = () =>
  blobRefusal(412, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met.");

const names = (header: string | undefined, etag: string): boolean => header === "*" || header === etag;

/** Refuses unless If-Match and If-None-Match, where they are given, let the request do its work. */
export const checkConditions = ({ headers, method }: BlobCall, blob: StoredObject | undefined): void => {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = headers;
  for (const name of ["if-modified-since", "if-unmodified-since"]) {
    if (headers[name] === undefined) continue;
    throw blobRefusal(501, "UnsupportedHeader", `The header ${name} is not supported`, { violation: true });
  }
  if (ifMatch !== undefined && (blob === undefined || !names(ifMatch, blob.etag))) throw unmet();
  if (ifNoneMatch === undefined || blob === undefined || !names(ifNoneMatch, blob.etag)) return;
  if (method === "GET" || method === "HEAD") throw blobRefusal(304, "ConditionNotMet", "Not modified");
  if (ifNoneMatch === "*") throw blobRefusal(409, "BlobAlreadyExists", "The specified blob already exists.");
  throw unmet();
};
