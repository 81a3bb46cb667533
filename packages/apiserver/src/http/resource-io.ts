import { flowOf } from "@capstan/evaluation";
import { jsonText } from "@capstan/schema/structural";
import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { decodeProtobuf } from "../builtin/types/decode-protobuf.ts";
import { type BodyKind, decodeObject } from "../decode/decode-object.ts";
import { checkValues, type DecodedBody, readJsonText } from "../decode/json-text.ts";
import type { KubeObject } from "@capstan/schema";
import { checkObjectSize } from "../registry/object-size.ts";
import { isLongWrite, longStepOf } from "../registry/long-steps.ts";
import type { Served } from "../registry/served.ts";
import { badRequest } from "../model/status-error.ts";
import type { WriteCall } from "../registry/write-call.ts";
import { contentType, parseYamlText, readBody, unsupportedMediaType } from "./body.ts";
import { negotiate } from "./negotiation.ts";
import { managerOfAgent, type WriteOptions } from "./write-options.ts";
import { asYaml, jsonReply, type Reply } from "./reply.ts";
import { type Representation, representationOf } from "./representation.ts";
import type { ResourceRequest } from "./resource-request.ts";

const objectTypes = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

/** Reads a body in one of the formats for whole objects; `undefined` when it is empty. Throws 400, 413 or 415. */
export const readObjectBody = async ({
  audit,
  info,
  request,
  user,
}: ResourceRequest): Promise<DecodedBody | undefined> => {
  const decoded = await decodedBody(request, flowOf(info.namespace, user.name));
  audit?.requestBody(decoded?.value);
  return decoded;
};

/** A smaller body cannot hold an object that is too large. */
const largeBytes = 2 ** 15;

const decodedBody = async (request: IncomingMessage, flow: string): Promise<DecodedBody | undefined> => {
  const type = contentType(request);
  if (type !== "" && !objectTypes.includes(type)) {
    throw unsupportedMediaType(objectTypes);
  }
  const body = await readBody(request);
  if (body.length === 0) {
    return undefined;
  }
  const decoded = await decodedAs(type, body, flow);
  if (body.length < largeBytes) {
    return decoded;
  }
  // Others are served before the next step.
  await nextTurn();
  return { ...decoded, isLarge: true };
};

const decodedAs = async (type: string, body: Buffer, flow: string): Promise<DecodedBody> => {
  if (type === "application/vnd.kubernetes.protobuf") {
    let value: unknown;
    try {
      value = decodeProtobuf(body);
    } catch (error) {
      throw badRequest(`the protobuf body cannot be decoded: ${(error as Error).message}`, error);
    }
    checkValues(value);
    return { value, duplicates: [] };
  }
  return type === "application/yaml" ? parseYamlText(body.toString(), flow) : readJsonText(body.toString());
};

/** Reads the object that a create or update carries. One that is too large is refused before it costs more. */
export const readObject = async (request: ResourceRequest, call: WriteCall, body: BodyKind): Promise<KubeObject> => {
  const decoded = await readObjectBody(request);
  if (decoded === undefined) {
    throw badRequest("the body is empty");
  }
  if (decoded.isLarge === true) {
    const { core, definition, info } = request;
    const isNew = info.name === "";
    const stored = isNew ? undefined : core.storage.collection(definition.storage.store).get(call.namespace, info.name);
    checkObjectSize(body.schema, decoded.value, () => stored?.object);
    const isMain = body.schema === definition.schema;
    if (isMain && isLongWrite(call, undefined, decoded.value)) {
      const { decimals = [], duplicates } = decoded;
      const step = { type: "decode", text: { duplicates, decimals } } as const;
      return (await longStepOf(call, step, [decoded.text ?? decoded.value])) as KubeObject;
    }
  }
  return decodeObject(decoded, { body, from: "body", fieldValidation: call.fieldValidation, warn: call.warn });
};

const annotation = ({ audit }: ResourceRequest): Pick<WriteCall, "annotate"> =>
  audit === undefined ? {} : { annotate: (key, value) => audit.annotate(key, value) };

/** The write that a request asks for. */
export const writeCallOf = (request: ResourceRequest, options: WriteOptions, operation: string): WriteCall => ({
  definition: request.definition,
  namespace: request.definition.namespaced ? request.info.namespace : "",
  user: request.user,
  authorizeCreate: () => request.authorize("create"),
  dryRun: options.dryRun,
  isShort: Number(request.request.headers["content-length"] ?? largeBytes) < largeBytes,
  fieldManager: options.fieldManager ?? managerOfAgent(request.request.headers["user-agent"]),
  fieldValidation: options.fieldValidation,
  warn: request.warn,
  ...annotation(request),
  options: {
    kind: operation,
    apiVersion: "meta.k8s.io/v1",
    ...(options.dryRun ? { dryRun: ["All"] } : {}),
    ...(options.fieldManager === undefined ? {} : { fieldManager: options.fieldManager }),
    ...(request.url.searchParams.has("fieldValidation") ? { fieldValidation: options.fieldValidation } : {}),
  },
});

/** The negotiated view of the request's kind, and how a finished answer is written in it. */
export const answerFormat = (
  request: ResourceRequest,
): { readonly representation: Representation; readonly reply: (code: number, body: string | Buffer) => Reply } => {
  const { core, definition, url } = request;
  const format = negotiate(request.request.headers.accept);
  const representation = representationOf(definition, format, {
    includeObject: url.searchParams.get("includeObject"),
    now: () => core.clock.now(),
    cache: request.representations,
  });
  const reply = (code: number, body: string | Buffer): Reply => {
    const json = { ...jsonReply(code, body), contentType: representation.contentType };
    return format.media === "yaml" ? asYaml({ ...json, contentType: "application/json" }) : json;
  };
  return { representation, reply };
};

/** Answers one object of the request's kind. */
export const objectReply = (request: ResourceRequest, code: number, served: Served): Reply => {
  const { representation, reply } = answerFormat(request);
  return reply(code, representation.one(served));
};

/** Answers an object of another kind (Scale, TokenRequest, a review). */
export const otherReply = (request: ResourceRequest, code: number, object: unknown): Reply => {
  const format = negotiate(request.request.headers.accept);
  const json = jsonReply(code, jsonText(object));
  return format.media === "yaml" ? asYaml(json) : json;
};
