import { apiVersionOf, isJsonObject, type KubeObject, type StructuralSchema } from "@capstan/schema";
import { type DefaultOptions, jsonText, resourceFault } from "@capstan/schema/structural";
import { badRequest, invalid, StatusError } from "../model/status-error.ts";
import type { ResourceDefinition } from "../model/types.ts";
import type { DecodedBody } from "./json-text.ts";
import { emptyMemberOf, isMetadataMember, wrongMetadataMember } from "./metadata-types.ts";
import { pruneUnknown, withDefaults } from "./schema-steps.ts";
import { typedValues } from "./typed-values.ts";
import { writtenAsDecimal } from "./written-decimals.ts";

/** The kind a body must be of; a subresource such as `scale` has its own. */
export interface BodyKind {
  readonly definition: ResourceDefinition;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: StructuralSchema;
}

export interface DecodeOptions {
  readonly body: BodyKind;
  /** A body is refused with 400, the outcome of a patch with 422 on the field `patch`. */
  readonly from: "body" | "patch";
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  readonly warn: (message: string) => void;
}

type Fields = Readonly<Record<string, unknown>>;

/** The body kind of the main endpoint. */
export const bodyKindOf = (definition: ResourceDefinition): BodyKind => ({
  definition,
  group: definition.group,
  version: definition.version,
  kind: definition.kind,
  schema: definition.schema,
});

const refusal = (options: DecodeOptions, message: string): StatusError =>
  options.from === "body"
    ? badRequest(message)
    : new StatusError(422, "Invalid", ` "" is invalid: patch: ${message}`, {
        details: { causes: [{ reason: "FieldValueInvalid", field: "patch", message }] },
      });

const checkKind = (value: Fields, options: DecodeOptions, name: string): void => {
  const { body } = options;
  const custom = body.definition.origin === "custom" && body.schema === body.definition.schema;
  const apiVersion = apiVersionOf(body);
  if (custom && (typeof value["kind"] !== "string" || value["kind"] === "")) {
    throw badRequest("Object 'Kind' is missing");
  }
  if (custom && value["apiVersion"] === apiVersion && value["kind"] !== body.kind) {
    throw invalid(body.definition, name, [
      {
        reason: "FieldValueInvalid",
        field: "kind",
        message: `Invalid value: ${jsonText(value["kind"])}: must be ${body.kind}`,
      },
    ]);
  }
  const given = `${String(value["apiVersion"] ?? "")}, Kind=${String(value["kind"] ?? "")}`;
  const givenVersion = value["apiVersion"] ?? "";
  if (givenVersion !== "" && givenVersion !== apiVersion) {
    if (custom && options.from !== "body") {
      const message = `Invalid value: ${jsonText(givenVersion)}: must be ${apiVersion}`;
      throw invalid(body.definition, name, [{ reason: "FieldValueInvalid", field: "apiVersion", message }]);
    }
    throw refusal(
      options,
      `the API version in the data (${String(value["apiVersion"])}) does not match the expected API version (${apiVersion})`,
    );
  }
  if ((value["kind"] ?? "") !== "" && value["kind"] !== body.kind) {
    throw refusal(options, `${given} in body cannot be handled as a ${body.kind}`);
  }
  if (custom && value["apiVersion"] !== apiVersion) {
    throw badRequest(`Object 'apiVersion' is missing`);
  }
};

/** Without members that are null, which stand for absent ones. */
const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Null in a map or a list is the empty value of its type, such as an empty text for `key:` without a value in YAML. */
const withEmptyValues = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const empty = emptyMemberOf(name);
      if (empty === undefined) return [name, value];
      if (Array.isArray(value)) return [name, value.map((item: unknown) => item ?? empty)];
      if (!isJsonObject(value) || !Object.values(value).includes(null)) return [name, value];
      return [name, Object.fromEntries(Object.entries(value).map(([key, text]) => [key, text ?? empty]))];
    }),
  );

const decodeMetadata = (
  value: unknown,
  options: DecodeOptions,
): { readonly metadata: KubeObject["metadata"]; readonly unknown: readonly string[] } => {
  if (value !== undefined && value !== null && !isJsonObject(value)) {
    throw refusal(options, "metadata must be an object");
  }
  const present = withEmptyValues(withoutNulls(value ?? {}));
  const wrong = wrongMetadataMember(present);
  if (wrong !== undefined) {
    throw refusal(options, `metadata.${wrong} has a wrong type`);
  }
  const unknown = Object.keys(present).filter((name) => !isMetadataMember(name));
  return {
    metadata:
      unknown.length === 0
        ? present
        : Object.fromEntries(Object.entries(present).filter(([name]) => isMetadataMember(name))),
    unknown: unknown.map((name) => `metadata.${name}`),
  };
};

/** No one reads more. */
const mostMessages = 100;

const report = (messages: readonly string[], options: DecodeOptions): void => {
  if (messages.length === 0) {
    return;
  }
  if (options.fieldValidation === "Strict") {
    throw refusal(options, `strict decoding error: ${messages.join(", ")}`);
  }
  for (const message of messages) {
    options.warn(message);
  }
};

/**
 * Makes an object of a body or of the outcome of a patch: checks kind and types, drops unknown members (with warnings, or refused
 * when strict) and adds defaults. Throws a 400 or 422.
 */
export const decodeObject = (decoded: DecodedBody, options: DecodeOptions): KubeObject => {
  const { value } = decoded;
  if (!isJsonObject(value)) {
    throw refusal(options, "the body must be a JSON object");
  }
  const { body } = options;
  const { metadata, unknown } = decodeMetadata(value["metadata"], options);
  const name = metadata.name ?? "";
  checkKind(value, options, name);
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...rest } = value;
  const object: KubeObject = { apiVersion: apiVersionOf(body), kind: body.kind, metadata, ...rest };
  const pruned = pruneUnknown(object, body.schema);
  const defaulted = withDefaults(pruned.object, body.schema);
  const typed = isTyped(body) ? asTyped(defaulted, decoded, options) : readable(defaulted, options);
  if (options.fieldValidation !== "Ignore") {
    const messages = [
      ...decoded.duplicates.slice(0, mostMessages).map((path) => `duplicate field ${JSON.stringify(path)}`),
      ...[...unknown, ...pruned.unknown].slice(0, mostMessages).map((path) => `unknown field ${JSON.stringify(path)}`),
    ];
    report(messages, options);
  }
  return withKindDefaults(typed, body);
};

/** Kubernetes decodes the objects of its own kinds, and every Scale, into types of Go; a custom resource stays as it is. */
const isTyped = ({ definition, schema }: BodyKind): boolean =>
  definition.origin === "builtin" || schema !== definition.schema;

/** Returns the object after a check that the resources embedded in it, if it is a custom resource, can be decoded. */
const readable = (object: KubeObject, options: DecodeOptions): KubeObject => {
  const fault = resourceFault(options.body.schema, object);
  if (fault !== undefined) {
    throw refusal(options, `${options.body.kind} cannot be decoded: ${fault}`);
  }
  return object;
};

const asTyped = (object: KubeObject, { decimals = [] }: DecodedBody, options: DecodeOptions): KubeObject => {
  const { kind, schema } = options.body;
  const decimal = decimals.find((path) => writtenAsDecimal(schema, path));
  if (decimal !== undefined) {
    throw refusal(
      options,
      `${kind} cannot be decoded: ${decimal.join(".")} must be an integer, written without a decimal point or exponent`,
    );
  }
  const typed = typedValues(schema, object);
  if ("fault" in typed) {
    throw refusal(options, `${kind} cannot be decoded: ${typed.fault}`);
  }
  return typed.value as KubeObject;
};

const withKindDefaults = (object: KubeObject, body: BodyKind): KubeObject => {
  const { applyDefaults } = body.definition;
  return body.schema === body.definition.schema && applyDefaults !== undefined ? applyDefaults(object) : object;
};

/** The object with its values read by the types of a built-in kind. Throws a 500 for what cannot be decoded, as Kubernetes does. */
const withTypedValues = (body: BodyKind, object: KubeObject): KubeObject => {
  if (!isTyped(body)) return object;
  const typed = typedValues(body.schema, object);
  if ("fault" in typed) {
    throw new StatusError(500, "", `${body.kind} cannot be decoded: ${typed.fault}`);
  }
  return typed.value as KubeObject;
};

/** Throws a 500 when the values of an applied configuration are not those of its kind, also of what does not count at the endpoint. */
export const checkDecodable = (body: BodyKind, object: KubeObject): void => void withTypedValues(body, object);

/**
 * Prunes, reads the types of values and defaults once more, after mutating admission and server-side apply. Throws a 500 for what cannot
 * be decoded.
 */
export const normalised = (
  definition: ResourceDefinition,
  object: KubeObject,
  options: DefaultOptions = {},
): KubeObject => {
  const defaulted = withDefaults(pruneUnknown(object, definition.schema).object, definition.schema, options);
  const body = bodyKindOf(definition);
  return withKindDefaults(withTypedValues(body, defaulted), body);
};
