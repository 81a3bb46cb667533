import { Refusal, type Service, type ServiceAnswer, type ServiceRequest } from "@capstan/simulation";
import type { LayoutBuilder, OciLayout } from "./oci-layout.ts";
import { Pushes } from "./pushes.ts";

const path = /^\/v2\/([a-z0-9/._-]+)\/(manifests|blobs)\/([\w.:-]+)$/;

interface Asked {
  readonly repository: string;
  readonly kind: "blobs" | "manifests";
  readonly reference: string;
}

const askedBy = (request: ServiceRequest): Asked => {
  const [, repository, kind, reference] = path.exec(request.path) ?? [];
  const known = kind === "blobs" || kind === "manifests";
  if (repository === undefined || reference === undefined || !known) {
    throw new Refusal(404, "there is nothing at this path", { code: "NAME_UNKNOWN", violation: true });
  }
  return { repository, kind, reference };
};

/** From the offset that a range names to the end; ranges with an end are no one's. */
const partOf = (bytes: Uint8Array, range: string | undefined): ServiceAnswer => {
  const headers = { "content-type": "application/octet-stream", "accept-ranges": "bytes" };
  const [, from] = /^bytes=(\d+)-$/.exec(range ?? "") ?? [];
  if (from === undefined) return { status: 200, headers, body: bytes };
  const start = Number(from);
  if (start >= bytes.length) throw new Refusal(416, "the range begins behind the end", { code: "RANGE_INVALID" });
  const contentRange = `bytes ${start}-${bytes.length - 1}/${bytes.length}`;
  return { status: 206, headers: { ...headers, "content-range": contentRange }, body: bytes.subarray(start) };
};

const answer = (layout: OciLayout, pushes: Pushes | undefined, request: ServiceRequest): ServiceAnswer => {
  if (pushes !== undefined && request.method !== "GET") return pushes.answer(request);
  if (request.method !== "GET") throw new Refusal(405, "the registry is read only", { code: "UNSUPPORTED" });
  const { kind, reference, repository } = askedBy(request);
  const digest = reference.startsWith("sha256:") ? reference : layout.tags.get(`${repository}:${reference}`);
  const blob = digest === undefined ? undefined : layout.blobs.get(digest);
  const code = kind === "manifests" ? "MANIFEST_UNKNOWN" : "BLOB_UNKNOWN";
  if (blob === undefined || digest === undefined) throw new Refusal(404, `${reference} is not known`, { code });
  if (kind === "blobs") return partOf(blob.bytes, request.headers["range"]);
  const headers = { "content-type": blob.mediaType, "docker-content-digest": digest };
  return { status: 200, headers, body: blob.bytes };
};

/**
 * A registry that serves an OCI layout, as the protocol of OCI registries says, to everybody. What is pushed is put into `pushedTo`; without
 * it the registry is read only.
 */
export const registryService = (layout: OciLayout, pushedTo?: LayoutBuilder): Service => {
  const pushes = pushedTo && new Pushes(pushedTo);
  return {
    owns: (request) => request.path.startsWith("/v2/"),
    describe: (request) => ({ path: request.path }),
    answer: async (request) => {
      try {
        return answer(layout, pushes, request);
      } catch (error) {
        if (error instanceof Refusal) return { ...refusal(error), refusal: error };
        throw error;
      }
    },
    refuse: (refused) => refusal(refused),
  };
};

const refusal = ({ code = "UNKNOWN", message, status }: Refusal) => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ errors: [{ code, message }] }),
});
