import { type Endpoint, type RequestContext, withHead } from "../http/context.ts";
import { acceptedTypes, negotiate } from "../http/negotiation.ts";
import { asYaml, jsonReply, pageNotFound, unknownPath } from "../http/reply.ts";
import type { Reply } from "../http/reply.ts";
import { aggregatedMediaType, discoveryDocuments } from "./discovery-documents.ts";
import type { Document } from "./document.ts";
import { openApiV2 } from "./openapi-v2.ts";
import { openApiIndex, openApiV3 } from "./openapi.ts";

const otherPaths = [
  "/.well-known/openid-configuration",
  "/apis",
  "/healthz",
  "/healthz/ping",
  "/livez",
  "/livez/ping",
  "/metrics",
  "/openapi/v2",
  "/openapi/v3",
  "/openid/v1/jwks",
  "/readyz",
  "/readyz/ping",
  "/readyz/storage",
  "/version",
];

/** Discovery below `/api` and `/apis`, OpenAPI below `/openapi/v3`, and the list of paths at `/`. */
export const discoveryEndpoints: Readonly<Record<string, Endpoint>> = {
  "/": async ({ core, request }) => {
    const versions = core.registry.snapshot.groups.flatMap(({ group, versions: served }) =>
      group === "" ? ["/api", "/api/v1"] : [`/apis/${group}`, ...served.map((version) => `/apis/${group}/${version}`)],
    );
    const paths = [...versions, ...otherPaths].sort();
    return written(request.headers.accept, JSON.stringify({ paths }));
  },
  "/api": async (context) => discovery(context, "/api"),
  "/api/": async (context) => discovery(context, context.info.path),
  "/apis": withHead(async (context) => discovery(context, "/apis")),
  "/apis/": async (context) => discovery(context, context.info.path),
  "/openapi/v2": withHead(async (context) => swagger(context)),
  "/openapi/v3": async (context) => tagged(context, openApiIndex(context.core.registry.snapshot)),
  "/openapi/v3/": async (context) => openApi(context),
};

const written = (accept: string | undefined, text: string): Reply =>
  negotiate(accept).media === "yaml" ? asYaml(jsonReply(200, text)) : jsonReply(200, text);

const trimmed = (path: string): string => path.replace(/(?<!\/)\/+$/, "");

const discovery = (context: RequestContext, askedPath: string): Reply => {
  const path = trimmed(askedPath);
  const { accept } = context.request.headers;
  const documents = discoveryDocuments(context.core.registry.snapshot);
  const types = acceptedTypes(accept);
  const isAggregated = ({ parameters }: (typeof types)[number]): boolean =>
    parameters["g"] === "apidiscovery.k8s.io" && parameters["as"] === "APIGroupDiscoveryList";
  const aggregated = types.find((type) => isAggregated(type) && type.parameters["v"] === "v2");
  if ((path === "/api" || path === "/apis") && aggregated !== undefined) {
    const reply = tagged(context, documents.aggregated(path));
    return { ...reply, contentType: aggregatedMediaType, headers: { ...reply.headers, Vary: "Accept" } };
  }
  const document = documents.classic(path);
  if (document === undefined) {
    const [, root, group = "", version = ""] = path.split("/");
    return root === "api" ? unknownPath(context.core, "", group) : unknownPath(context.core, group, version);
  }
  const plainOnly = types.some(isAggregated) ? undefined : accept;
  const reply = written(plainOnly, document.text);
  return { ...reply, headers: { ...reply.headers, Vary: "Accept" } };
};

/** A document with its entity tag, or 304 when the client has it. */
const tagged = ({ request }: RequestContext, { text, etag }: Pick<Document, "text" | "etag">): Reply => {
  const known = (request.headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim());
  const headers = { ETag: etag, "Cache-Control": "public" };
  return known.includes(etag) ? { ...jsonReply(304, ""), headers } : jsonReply(200, text, headers);
};

/** As kubectl asks for it; older ones write a `.` where newer ones write an `@`. */
const swaggerProtobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const swaggerTypes = new Set([swaggerProtobuf, swaggerProtobuf.replace("v2.v1.0", "v2@v1.0")]);

const swagger = async (context: RequestContext): Promise<Reply> => {
  const { json, protobuf, hash } = await openApiV2(context.core.registry.snapshot);
  const [first] = acceptedTypes(context.request.headers.accept);
  const isProtobuf = first !== undefined && swaggerTypes.has(first.type);
  const reply = tagged(context, { text: json, etag: `"${hash}"` });
  const headers = { ...reply.headers, Vary: "Accept" };
  return isProtobuf && reply.code === 200
    ? { ...reply, headers, contentType: swaggerProtobuf, body: Buffer.from(protobuf) }
    : { ...reply, headers };
};

const openApi = (context: RequestContext): Reply => {
  const path = trimmed(context.info.path);
  const [, , , root, ...rest] = path.split("/");
  const [group, version] = root === "api" ? ["", rest[0]] : rest;
  const depth = root === "api" ? 1 : 2;
  const found = (root === "api" || root === "apis") && rest.length === depth;
  const document = found ? openApiV3(context.core.registry.snapshot, group ?? "", version ?? "") : undefined;
  if (document === undefined) {
    return pageNotFound;
  }
  const hash = context.url.searchParams.get("hash");
  if (hash !== null && hash !== document.hash) {
    return { ...jsonReply(301, ""), headers: { Location: `${path}?hash=${document.hash}` } };
  }
  const reply = tagged(context, document);
  return hash === null ? reply : { ...reply, headers: { ...reply.headers, "Cache-Control": "public, immutable" } };
};
