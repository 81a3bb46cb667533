import { isJsonObject } from "@capstan/schema";

type Json = Readonly<Record<string, unknown>>;

const [referenceV3, referenceV2] = ["#/components/schemas/", "#/definitions/"];

/** Members of a schema that version 2 does not have, or that only the server evaluates. */
const left = new Set([
  "anyOf",
  "oneOf",
  "not",
  "allOf",
  "nullable",
  "default",
  "x-kubernetes-validations",
  "x-kubernetes-preserve-unknown-fields",
]);
/** Members that constrain the shape of a value, left out where clients of version 2 would refuse values that the server accepts. */
const shape = new Set(["type", "properties", "items", "additionalProperties", "required"]);

const withoutShape = (schema: Json): boolean =>
  schema["nullable"] === true ||
  schema["x-kubernetes-preserve-unknown-fields"] === true ||
  schema["x-kubernetes-int-or-string"] === true ||
  schema["oneOf"] !== undefined;

const mapped = (schemas: unknown): Json =>
  Object.fromEntries(Object.entries(schemas as Json).map(([name, schema]) => [name, schemaV2(schema)]));

const memberV2 = (name: string, value: unknown): unknown => {
  switch (name) {
    case "$ref":
      return String(value).replace(referenceV3, referenceV2);
    case "properties":
      return mapped(value);
    case "items":
    case "additionalProperties":
      return schemaV2(value);
    default:
      return value;
  }
};

/** A schema of an OpenAPI v3 document as version 2 has it: less is said where that has no words for it. */
export const schemaV2 = (schema: unknown): unknown => {
  if (!isJsonObject(schema)) {
    return schema;
  }
  const { allOf } = schema;
  const [only] = Array.isArray(allOf) && allOf.length === 1 ? (allOf as readonly Json[]) : [];
  // In version 2 a reference has siblings; in version 3 they wrap it.
  const reference = only?.["$ref"] === undefined ? {} : { $ref: memberV2("$ref", only["$ref"]) };
  const isShapeless = withoutShape(schema);
  const kept = Object.entries(schema).filter(([name]) => !left.has(name) && !(isShapeless && shape.has(name)));
  return { ...reference, ...Object.fromEntries(kept.map(([name, value]) => [name, memberV2(name, value)])) };
};

const parameterV2 = ({ schema, ...parameter }: Json): Json => ({ ...parameter, ...(schema as Json | undefined) });

/** The schema of the first of the media types, and their names. */
const contentOf = (value: unknown): { readonly types: readonly string[]; readonly schema: unknown } => {
  const content = ((value as Json)["content"] ?? {}) as Readonly<Record<string, { readonly schema: unknown }>>;
  return { types: Object.keys(content), schema: schemaV2(Object.values(content)[0]?.schema ?? {}) };
};

const operationV2 = ({ requestBody, responses, parameters = [], ...operation }: Json): Json => {
  const body = requestBody === undefined ? undefined : contentOf(requestBody);
  const answers = Object.values(responses as Json).map(contentOf);
  return {
    ...operation,
    schemes: ["https"],
    consumes: body?.types ?? ["*/*"],
    produces: [...new Set(answers.flatMap(({ types }) => types))],
    parameters: [
      ...(parameters as readonly Json[]).map(parameterV2),
      ...(body === undefined ? [] : [{ name: "body", in: "body", required: true, schema: body.schema }]),
    ],
    responses: Object.fromEntries(
      Object.entries(responses as Json).map(([code, response]) => [
        code,
        { description: (response as Json)["description"], schema: contentOf(response).schema },
      ]),
    ),
  };
};

/** The operations of a path of an OpenAPI v3 document as version 2 has them. */
export const pathItemV2 = ({ parameters, ...operations }: Json): Json => ({
  ...(parameters === undefined ? {} : { parameters: (parameters as readonly Json[]).map(parameterV2) }),
  ...Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => [method, operationV2(operation as Json)]),
  ),
});
