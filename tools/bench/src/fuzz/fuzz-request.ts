import { jsonText } from "@capstan/schema/structural";
import { stringify } from "yaml";
import type { Dice } from "./dice.ts";
import { names, objectFrom } from "./object-from-schema.ts";
import { oddTexts, oddValue } from "./odd-values.ts";
import type { Surface, Target } from "./surface.ts";

/** One request, as it is sent and as it is printed. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

const namespaces = ["default", "default", "fuzz", "kube-system"];
const oddNamespaces = ["none", "%zz", "A", "", "__proto__"];
const methods = [
  "GET",
  "GET",
  "POST",
  "POST",
  "POST",
  "PUT",
  "PUT",
  "PATCH",
  "PATCH",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
];
const patchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];
const bodyTypes = [
  "application/json",
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "text/plain",
  "",
];
const accepts = [
  "application/json",
  "application/json",
  "*/*",
  "application/yaml",
  "application/vnd.kubernetes.protobuf,application/json",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/yaml",
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  "text/html",
  ";;=,",
];
const options: Readonly<Record<string, readonly string[]>> = {
  labelSelector: ["a=b", "a in (b,c)", "!a", "a>1", "a notin (", "a==b,c!=d"],
  fieldSelector: ["metadata.name=a", "status.phase!=x", "spec.nodeName=a", "metadata.name", "a=b=c"],
  limit: ["1", "0", "-1", "5"],
  continue: ["abc", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIvYVx1MDAwMCJ9"],
  resourceVersion: ["0", "1", "5", "999999999", "-1"],
  resourceVersionMatch: ["Exact", "NotOlderThan", "x"],
  dryRun: ["All", "x"],
  fieldManager: ["m", "n", "x".repeat(200)],
  fieldValidation: ["Strict", "Warn", "Ignore", "x"],
  force: ["true", "false", "x"],
  gracePeriodSeconds: ["0", "1", "-1", "x"],
  propagationPolicy: ["Foreground", "Orphan", "Background", "x"],
  orphanDependents: ["true", "x"],
  includeObject: ["None", "Metadata", "Object", "x"],
  sendInitialEvents: ["true", "false", "x"],
  allowWatchBookmarks: ["true"],
  pretty: ["true"],
};
/**
 * Groups that are only tried, because their objects take effect on other requests: a webhook that does not answer would
 * fail every request, and rightly so.
 */
const onlyTried = new Set(["admissionregistration.k8s.io", "apiregistration.k8s.io"]);

const queryOf = (target: Target, dice: Dice): string => {
  const query = new URLSearchParams();
  for (let count = dice.below(3); count > 0; count--) {
    const name = dice.pick(Object.keys(options));
    query.append(name, dice.odd(4) ? dice.pick(oddTexts) : dice.pick(options[name] as readonly string[]));
  }
  if (onlyTried.has(target.group)) query.set("dryRun", "All");
  if (dice.oneIn(30)) query.set("watch", "true");
  return query.size === 0 ? "" : `?${query.toString()}`;
};

const nameOf = (dice: Dice): string =>
  dice.odd(6) ? encodeURIComponent(dice.pick(oddTexts).toWellFormed()) : dice.pick(names);

const pathOf = (target: Target, method: string, dice: Dice): string => {
  const scope =
    target.namespaced && !dice.odd(8) ? `/namespaces/${dice.pick(dice.odd(6) ? oddNamespaces : namespaces)}` : "";
  const isItem =
    target.subresource !== "" || (method === "POST" ? dice.odd(6) : method === "GET" ? dice.oneIn(2) : !dice.oneIn(12));
  const item = isItem ? `/${nameOf(dice)}` : "";
  const below =
    target.subresource !== ""
      ? `/${target.subresource}`
      : dice.odd(20)
        ? `/${dice.pick(["status", "scale", "x", "a/b"])}`
        : "";
  return `${target.base}${scope}/${target.plural}${item}${below}`;
};

/** An object of the kind, with a name that others have as well. */
const objectOf = (target: Target, { schemas }: Surface, dice: Dice, name: string | undefined): unknown => {
  const value = objectFrom(target.schema ?? {}, schemas, dice);
  if (typeof value !== "object" || value === null || dice.odd(10)) return value;
  const { metadata } = value as { readonly metadata?: unknown };
  const kept = typeof metadata === "object" && !dice.odd(3) ? { annotations: { a: "b" } } : metadata;
  const apiVersion = target.group === "" ? target.version : `${target.group}/${target.version}`;
  return {
    ...value,
    ...(!dice.odd(8) && { apiVersion, kind: target.kind }),
    metadata: { ...(kept as object | undefined), name: name ?? dice.pick(names) },
  };
};

const pointerOf = (dice: Dice): string =>
  dice.pick([
    "/metadata/labels",
    "/metadata/labels/a",
    "/spec",
    "/spec/a",
    "/metadata/finalizers/-",
    "/metadata/finalizers/0",
    "",
    "/status",
    "/data/__proto__",
    "a",
    "/metadata/ownerReferences",
    "/spec/versions/0/schema",
  ]);

const jsonPatchOf = (dice: Dice): unknown =>
  dice.odd(6)
    ? oddValue(dice)
    : Array.from({ length: dice.below(4) + 1 }, () => ({
        op: dice.odd(10) ? oddValue(dice) : dice.pick(["add", "replace", "remove", "test", "copy", "move"]),
        path: pointerOf(dice),
        ...(dice.oneIn(2) ? { from: pointerOf(dice) } : {}),
        value: oddValue(dice),
      }));

/** Writes the value; now and then not as it should be. */
const written = (value: unknown, type: string, dice: Dice): Buffer => {
  const json = Buffer.from(jsonText(value) ?? "");
  const isProtobuf = type.includes("protobuf") && !dice.oneIn(4);
  const text = type.includes("yaml") && dice.oneIn(2) ? Buffer.from(stringify(value) ?? "") : json;
  const bytes = isProtobuf ? enveloped(json, dice) : text;
  if (!dice.odd(8) || bytes.length === 0) return bytes;
  const at = dice.below(bytes.length);
  switch (dice.below(4)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), dice.bytes(3), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 20))]);
    default: {
      const changed = Buffer.from(bytes);
      changed[at] = dice.below(256);
      return changed;
    }
  }
};

const varint = (value: number): Buffer =>
  value < 128 ? Buffer.from([value]) : Buffer.concat([Buffer.from([(value & 127) | 128]), varint(value >>> 7)]);

const field = (number: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([(number << 3) | 2]), varint(content.length), content]);

/** The envelope of Kubernetes around JSON, or around bytes that mean nothing. */
const enveloped = (json: Buffer, dice: Dice): Buffer => {
  const type = field(
    1,
    Buffer.concat([field(1, Buffer.from("v1")), field(2, Buffer.from(dice.pick(["ConfigMap", "Pod", "Namespace"])))]),
  );
  const content = dice.oneIn(2)
    ? [field(2, json), field(4, Buffer.from("application/json"))]
    : [field(2, dice.bytes(dice.below(40)))];
  return Buffer.concat([Buffer.from([0x6b, 0x38, 0x73, 0x00]), type, ...content]);
};

const headersOf = (dice: Dice): Record<string, string> => {
  const headers: Record<string, string> = {
    authorization: dice.odd(25) ? dice.pick(["Bearer x", "Basic eDp5", "Bearer", "Bearer a.b.c"]) : "Bearer fuzz-admin",
    accept: dice.pick(dice.odd(2) ? accepts : accepts.slice(0, 5)),
  };
  if (dice.odd(15)) {
    headers["impersonate-user"] = dice.pick([
      "alice",
      "system:anonymous",
      "system:serviceaccount:default:a",
      "system:node:a",
    ]);
  }
  if (dice.odd(25)) headers["impersonate-group"] = dice.pick(["system:masters", "x"]);
  if (dice.odd(40)) headers[`impersonate-extra-${dice.pick(["a", "%zz", "%2f", "A%41"])}`] = "x";
  if (dice.odd(20)) headers["user-agent"] = dice.pick(["kubectl/v1.30 (x)", "/", "x".repeat(500)]);
  if (dice.odd(40)) headers["if-none-match"] = '"x"';
  if (dice.odd(60)) headers["audit-id"] = "x y";
  if (dice.odd(60)) headers["content-encoding"] = "gzip";
  return headers;
};

/** Reviews, scales, options of deletions and the objects themselves, in some form. */
const bodyOf = (target: Target, surface: Surface, method: string, type: string, path: string, dice: Dice): unknown => {
  if (method === "DELETE") {
    const given = surface.schemas.get("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions") ?? {};
    return objectFrom(given, surface.schemas, dice);
  }
  if (type === "application/json-patch+json") return jsonPatchOf(dice);
  const name = /\/([a-z0-9.-]+)$/.exec(path)?.[1];
  return objectOf(target, surface, dice, names.includes(name ?? "") ? name : undefined);
};

/** Makes a request of nothing but what the server says about itself, and dice. */
export const fuzzRequest = (surface: Surface, dice: Dice): FuzzRequest => {
  const headers = headersOf(dice);
  if (dice.oneIn(20)) {
    const base = dice.pick([...surface.paths, "/openapi/v2", "/capstan/v1/restore", "/api/v1/", "/apis/x/y/z"]);
    const path = `${base}${dice.oneIn(4) ? `/${encodeURIComponent(dice.pick(oddTexts).toWellFormed())}` : ""}`;
    return { method: dice.pick(["GET", "GET", "GET", "HEAD"]), path, headers };
  }
  const target = dice.pick(surface.targets);
  const method = dice.odd(5) ? dice.pick(methods) : dice.pick(target.methods);
  const path = pathOf(target, method, dice);
  const full = `${path}${queryOf(target, dice)}`;
  if (method === "GET" || method === "HEAD" || method === "OPTIONS" || (method === "DELETE" && dice.oneIn(2))) {
    return { method, path: full, headers };
  }
  const type =
    method === "PATCH" && !dice.odd(10)
      ? dice.pick(patchTypes)
      : dice.pick(dice.odd(3) ? bodyTypes : bodyTypes.slice(0, 4));
  const body = written(bodyOf(target, surface, method, type, path, dice), type, dice);
  return { method, path: full, headers: { ...headers, ...(type !== "" && { "content-type": type }) }, body };
};
