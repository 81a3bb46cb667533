import { invalid, notFound, object, type Route, text } from "@capstan/simulation";
import type { StoredObject } from "@capstan/simulation/s3";
import { route } from "../api/route.ts";
import type { StoredBucket, StoredKey } from "../state.ts";
import type { World } from "../world.ts";
import { findBucket, newKey } from "./object-storage.ts";
import { signedObjectUrl } from "./object-url.ts";

const base = "object-storage/buckets/:region/:label";
const acl = text({ enum: ["private", "public-read", "authenticated-read", "public-read-write", "custom"] });

/** Routes for the objects of a bucket without S3, and for its certificate. */
export const bucketContentRoutes: readonly Route<World>[] = [
  route({
    method: "GET",
    path: `${base}/object-list`,
    query: { marker: text(), delimiter: text(), prefix: text(), page_size: { type: "integer", min: 25, max: 500 } },
    handle: (request, world) => listOf(world.state.objects[findBucket(request, world).label] ?? [], request.query),
  }),
  route({
    method: "GET",
    path: `${base}/object-acl`,
    query: { name: text() },
    handle: (request, world) => {
      const bucket = findBucket(request, world);
      const { name } = request.query;
      if (name === undefined) throw invalid("name is required.", "name");
      objectOf(bucket, name, world);
      return { acl: bucket.objectAcls[name] ?? "private", acl_xml: "<AccessControlPolicy/>" };
    },
  }),
  route({
    method: "PUT",
    path: `${base}/object-acl`,
    body: object({ name: text(), acl }, ["name", "acl"]),
    handle: (request, world) => {
      const bucket = findBucket(request, world);
      objectOf(bucket, request.body.name, world);
      bucket.objectAcls[request.body.name] = request.body.acl;
      return { acl: request.body.acl, acl_xml: "<AccessControlPolicy/>" };
    },
  }),
  route({
    method: "POST",
    path: `${base}/object-url`,
    body: object(
      {
        name: text(),
        method: text(),
        content_type: text(),
        content_disposition: text(),
        expires_in: { type: "integer", min: 360, max: 86_400 },
      },
      ["name", "method"],
    ),
    handle: (request, world) => {
      const bucket = findBucket(request, world);
      const { name, method, content_type: contentType, expires_in: expiresSeconds = 3600 } = request.body;
      const { content_disposition: disposition } = request.body;
      if (method === "GET") objectOf(bucket, name, world);
      const url = `${world.objectStorageUrl()}/${bucket.label}/${name.split("/").map(encodeURIComponent).join("/")}`;
      const times = { expiresSeconds, now: world.clock.now() };
      const wanted = { url, method, region: bucket.region, contentType, disposition, ...times };
      return { url: signedObjectUrl({ ...wanted, ...keyFor(world) }), exists: true };
    },
  }),
  route({
    method: "GET",
    path: `${base}/ssl`,
    handle: (request, world) => ({ ssl: findBucket(request, world).hasCertificate }),
  }),
  route({
    method: "POST",
    path: `${base}/ssl`,
    body: object({ certificate: text(), private_key: text() }, ["certificate", "private_key"]),
    handle: (request, world) => {
      findBucket(request, world).hasCertificate = true;
      return { ssl: true };
    },
  }),
  route({
    method: "DELETE",
    path: `${base}/ssl`,
    handle: (request, world) => {
      const bucket = findBucket(request, world);
      if (!bucket.hasCertificate) throw notFound();
      bucket.hasCertificate = false;
      return {};
    },
  }),
];

const objectOf = ({ label }: StoredBucket, name: string, { state }: World): StoredObject => {
  const found = state.objects[label]?.find(({ key }) => key === name);
  if (found === undefined) throw invalid("Object not found", "name");
  return found;
};

const listOf = (
  objects: readonly StoredObject[],
  {
    marker = "",
    delimiter = "",
    prefix = "",
    page_size: size = 100,
  }: { readonly marker?: string; readonly delimiter?: string; readonly prefix?: string; readonly page_size?: number },
) => {
  const entries = new Map<string, object>();
  for (const { key, etag, modified, size: bytes } of objects.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    if (!key.startsWith(prefix) || key <= marker) continue;
    const end = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    const name = end < 0 ? key : key.slice(0, end + delimiter.length);
    const whole = { name, etag, last_modified: new Date(modified).toISOString(), owner: "simulator", size: bytes };
    entries.set(name, end < 0 ? whole : { name });
  }
  const all = [...entries.values()] as readonly { readonly name: string }[];
  const more = all.length > size;
  return { data: all.slice(0, size), is_truncated: more, next_marker: more ? all[size - 1]!.name : null };
};

/** A key to every bucket, made for the account when it is needed first. */
const keyFor = (world: World): Pick<StoredKey, "accessKey" | "secretKey"> => {
  const found = world.state.keys.find(({ bucketAccess }) => bucketAccess === null);
  if (found !== undefined) return found;
  const made = newKey({ label: "object-url" }, world);
  world.state.keys.push(made);
  return made;
};
