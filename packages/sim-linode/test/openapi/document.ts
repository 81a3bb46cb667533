import { readFile } from "node:fs/promises";
import { parse } from "yaml";

export type Json = Readonly<Record<string, unknown>>;

/** A schema of the document without references and alternatives: what any of them takes. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly readOnly?: boolean;
}

export interface DocumentOperation {
  /** Method and path with values as `*`. */
  readonly family: string;
  readonly query: Readonly<Record<string, Schema>>;
  readonly body: Schema | undefined;
  readonly answer: Schema | undefined;
}

/** Groups that neither the client nor the simulator has. */
const otherGroups = /^(?:databases|lke|longview|managed|profile|support)/;

type Part = Readonly<Record<string, Json & { readonly [name: string]: unknown }>>;

/** The operations that an OpenAPI document has in the groups of the client and the simulator. */
export const operationsOf = async (file: string): Promise<readonly DocumentOperation[]> => {
  const document = parse(await readFile(file, "utf8"), { maxAliasCount: -1 }) as Json;
  const resolver = resolving(document);
  return Object.entries(document["paths"] as Part).flatMap(([path, methods]) => {
    const below = path.replace("/{apiVersion}/", "").replaceAll(/\{\w+\}/g, "*");
    if (otherGroups.test(below)) return [];
    return ["get", "post", "put", "delete"].flatMap((method) => {
      const operation = methods[method] as Json | undefined;
      if (operation === undefined) return [];
      const answers = operation["responses"] as Part;
      return [
        {
          family: `${method.toUpperCase()} ${below}`,
          query: resolver.query([methods["parameters"], operation["parameters"]]),
          body: resolver.content(operation["requestBody"]),
          answer: resolver.content(answers["200"]),
        },
      ];
    });
  });
};

const resolving = (document: Json) => {
  const at = (reference: string): unknown =>
    reference
      .split("/")
      .slice(1)
      .reduce<unknown>((value, key) => (value as Json)[key], document);
  const real = (value: unknown): Json => {
    const reference = (value as Json | undefined)?.["$ref"];
    return typeof reference === "string" ? real(at(reference)) : ((value ?? {}) as Json);
  };
  const known = new Map<Json, Schema>();
  const schema = (value: unknown): Schema => {
    const plain = real(value);
    const found = known.get(plain);
    if (found !== undefined) return found;
    const made: { -readonly [K in keyof Schema]: Schema[K] } = {};
    known.set(plain, made);
    return Object.assign(made, merged(plain, schema));
  };
  return {
    query: (lists: readonly unknown[]): Readonly<Record<string, Schema>> =>
      Object.fromEntries(
        lists
          .flatMap((list) => (list ?? []) as readonly unknown[])
          .map(real)
          .flatMap((each) => (each["in"] === "query" ? [[each["name"], schema(each["schema"])]] : [])),
      ),
    content: (value: unknown): Schema | undefined => {
      const content = real(value)["content"] as Part | undefined;
      const found = content?.["application/json"]?.["schema"];
      return found === undefined ? undefined : schema(found);
    },
  };
};

/** Alternatives take what any of them takes; what has to fit all of them has the fields of all. */
const merged = (plain: Json, schema: (value: unknown) => Schema): Schema => {
  const parts = (key: string): readonly Schema[] => ((plain[key] as readonly unknown[] | undefined) ?? []).map(schema);
  const { allOf: _all, oneOf: _one, anyOf: _any, ...rest } = plain;
  const own: Schema = {
    ...(rest as Schema),
    ...(rest["items"] === undefined ? {} : { items: schema(rest["items"]) }),
    ...(rest["properties"] === undefined ? {} : { properties: mapped(rest["properties"] as Json, schema) }),
  };
  const both = [own, ...parts("allOf")];
  const either = [...parts("oneOf"), ...parts("anyOf")];
  if (both.length === 1 && either.length === 0) return own;
  const all = [...either, ...both];
  const properties: Readonly<Record<string, Schema>> = Object.assign({}, ...all.map((each) => each.properties));
  const requiredByEach = either[0]?.required?.filter((name) => either.every((each) => each.required?.includes(name)));
  return {
    ...Object.assign({}, ...all),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    required: [...new Set([...both.flatMap((each) => each.required ?? []), ...(requiredByEach ?? [])])],
    ...(either.some(({ nullable }) => nullable === true) ? { nullable: true } : {}),
  };
};

const mapped = (fields: Json, schema: (value: unknown) => Schema): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schema(field)]));
