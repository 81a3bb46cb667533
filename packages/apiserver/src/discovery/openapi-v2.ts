import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { jsonText } from "@capstan/schema/structural";
import type { RegistrySnapshot, ResourceDefinition } from "../model/types.ts";
import { describeVersion } from "./openapi.ts";
import { encodeDocument, encodeNamed, encodePathItem, encodeSchema } from "./openapi-v2-protobuf.ts";
import { pathItemV2, schemaV2 } from "./openapi-v2-schemas.ts";

type Json = Readonly<Record<string, unknown>>;

/** A member of the document, in both of its forms. */
interface Entry {
  readonly json: string;
  readonly protobuf: Uint8Array;
}

/** Part of the document for one group version. */
interface Part {
  readonly of: readonly ResourceDefinition[];
  readonly paths: ReadonlyMap<string, Entry>;
  readonly definitions: ReadonlyMap<string, Entry>;
}

/** The OpenAPI v2 document of everything that is served. */
export interface OpenApiV2 {
  readonly json: string;
  readonly protobuf: Uint8Array;
  /** Hexadecimal hash, the same for both encodings. */
  readonly hash: string;
}

const info = { title: "Kubernetes", version: "v1" };
/** By the first definition of a group version; valid as long as all of them are the same. */
const parts = new WeakMap<ResourceDefinition, Part>();
const documents = new WeakMap<RegistrySnapshot, Promise<OpenApiV2>>();

/** One member may have thousands of fields: others have their turn between what is made of it. */
const entries = async (
  members: Readonly<Record<string, unknown>>,
  convert: (value: Json) => Json,
  encode: (value: Json) => Uint8Array,
  number: number,
): Promise<ReadonlyMap<string, Entry>> => {
  const made = new Map<string, Entry>();
  for (const [name, member] of Object.entries(members)) {
    const value = convert(member as Json);
    await nextTurn();
    const json = `${JSON.stringify(name)}:${jsonText(value)}`;
    await nextTurn();
    made.set(name, { json, protobuf: encodeNamed(number, name, encode(value)) });
    await nextTurn();
  }
  return made;
};

const partOf = async (definitions: readonly ResourceDefinition[]): Promise<Part> => {
  const [first] = definitions as readonly [ResourceDefinition];
  const known = parts.get(first);
  if (known?.of.length === definitions.length && known.of.every((one, index) => one === definitions[index])) {
    return known;
  }
  const { paths, components } = describeVersion(definitions);
  await nextTurn();
  const part: Part = {
    of: definitions,
    paths: await entries(paths as Json, pathItemV2, encodePathItem, 2),
    definitions: await entries(components.schemas, (schema) => schemaV2(schema) as Json, encodeSchema, 1),
  };
  parts.set(first, part);
  return part;
};

const make = async ({ definitions }: RegistrySnapshot): Promise<OpenApiV2> => {
  const all = { paths: new Map<string, Entry>(), definitions: new Map<string, Entry>() };
  for (const group of Map.groupBy(definitions, ({ group, version }) => `${group}/${version}`).values()) {
    const part = await partOf(group);
    for (const member of ["paths", "definitions"] as const) {
      for (const [name, entry] of part[member]) {
        all[member].set(name, entry);
      }
    }
  }
  const [paths, schemas] = [[...all.paths.values()], [...all.definitions.values()]];
  const joined = (members: readonly Entry[]): string => members.map(({ json }) => json).join(",");
  const json = `{"swagger":"2.0","info":${JSON.stringify(info)},"paths":{${joined(paths)}},"definitions":{${joined(schemas)}}}`;
  const bytes = (members: readonly Entry[]) => members.map(({ protobuf }) => protobuf);
  return {
    json,
    protobuf: encodeDocument(info, bytes(paths), bytes(schemas)),
    hash: createHash("sha256").update(json).digest("hex").toUpperCase(),
  };
};

/** Returns the document with which kubectl validates what version 3 lacks, such as the items of a `List`. Created on first use. */
export const openApiV2 = (snapshot: RegistrySnapshot): Promise<OpenApiV2> => {
  const document = documents.get(snapshot) ?? make(snapshot);
  documents.set(snapshot, document);
  return document;
};
