import { byText } from "@capstan/kube-values";
import { element, type Markup, xml } from "../http/xml.ts";
import type { StoredObject } from "../objects/stored-object.ts";
import type { BlobAnswer, BlobCall } from "./blob-call.ts";
import { blobsOf } from "./blob-operations.ts";
import { blobRefusal } from "./blob-refusal.ts";

const maxResults = 5000;

/** The operations on a container, by method and `comp`. */
export const containerOperations: Readonly<Record<string, (call: BlobCall) => BlobAnswer>> = {
  PUT: (call) => {
    call.access.demand("manage");
    const { container } = call.target;
    if (!/^(?=.{3,63}$)[a-z0-9]+(?:-[a-z0-9]+)*$/.test(container)) {
      throw blobRefusal(400, "InvalidResourceName", "The specified resource name contains invalid characters.");
    }
    if (Object.hasOwn(call.account.containers, container)) {
      throw blobRefusal(409, "ContainerAlreadyExists", "The specified container already exists.");
    }
    call.account.containers[container] = [];
    return { status: 201, headers: { etag: `"0x${call.now.toString(16).toUpperCase()}"` } };
  },
  HEAD: (call) => describedContainer(call),
  GET: (call) => describedContainer(call),
  DELETE: (call) => {
    call.access.demand("manage");
    blobsOf(call);
    delete call.account.containers[call.target.container];
    return { status: 202 };
  },
  "GET list": (call) => {
    call.access.demand("list");
    return listed(call, blobsOf(call));
  },
};

const describedContainer = (call: BlobCall): BlobAnswer => {
  call.access.demand("read");
  blobsOf(call);
  return { status: 200, headers: { "x-ms-lease-status": "unlocked", "x-ms-lease-state": "available" } };
};

const limitOf = (text: string | undefined): number => {
  if (text === undefined) return maxResults;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) {
    throw blobRefusal(400, "OutOfRangeQueryParameterValue", "maxresults must be a number from 1 on.");
  }
  return Math.min(limit, maxResults);
};

const listed = ({ accountUrl, parameters, target }: BlobCall, blobs: readonly StoredObject[]): BlobAnswer => {
  const prefix = parameters.get("prefix") ?? "";
  const marker = parameters.get("marker") ?? "";
  const withMetadata = includesMetadata(parameters.get("include") ?? "");
  const limit = limitOf(parameters.get("maxresults"));
  const from = Buffer.from(marker, "base64url").toString();
  const matching = blobs
    .filter(({ key }) => key.startsWith(prefix) && key >= from)
    .sort((left, right) => byText(left.key, right.key));
  const next = matching[limit];
  const body = xml(
    "EnumerationResults",
    [
      element("Prefix", prefix),
      element("Marker", marker),
      element("MaxResults", String(limit)),
      element(
        "Blobs",
        matching.slice(0, limit).map((blob) => entryOf(blob, withMetadata)),
      ),
      element("NextMarker", next === undefined ? "" : Buffer.from(next.key).toString("base64url")),
    ],
    { ServiceEndpoint: `${accountUrl}/`, ContainerName: target.container },
  );
  return { status: 200, headers: { "content-type": "application/xml" }, body };
};

const includesMetadata = (include: string): boolean => {
  if (include !== "" && include !== "metadata") {
    const why = `The list cannot include ${include}: of this, only metadata is kept`;
    throw blobRefusal(501, "InvalidQueryParameterValue", why, { violation: true });
  }
  return include === "metadata";
};

const entryOf = (blob: StoredObject, withMetadata: boolean): Markup =>
  element("Blob", [
    element("Name", blob.key),
    element("Properties", [
      element("Creation-Time", new Date(blob.modified).toUTCString()),
      element("Last-Modified", new Date(blob.modified).toUTCString()),
      element("Etag", blob.etag.replaceAll('"', "")),
      element("Content-Length", String(blob.size)),
      element("Content-Type", blob.contentType),
      element("BlobType", "BlockBlob"),
      element("LeaseStatus", "unlocked"),
      element("LeaseState", "available"),
      element("ServerEncrypted", "true"),
    ]),
    ...(withMetadata
      ? [
          element(
            "Metadata",
            Object.entries(blob.metadata).map(([name, value]) => element(name, value)),
          ),
        ]
      : []),
  ]);
