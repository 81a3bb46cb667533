import { parseJson } from "@capstan/schema/structural";
import type { Schema, Schemas } from "./object-from-schema.ts";

/** A resource or subresource as discovery shows it. */
export interface Target {
  /** `/api/v1`, `/apis/apps/v1`. */
  readonly base: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly subresource: string;
  readonly namespaced: boolean;
  readonly kind: string;
  /** Methods of its verbs; those that write more often than the others. */
  readonly methods: readonly string[];
  /** Schema of the body; `undefined` when it is not described. */
  readonly schema: Schema | undefined;
}

/** Targets and schemas that requests are made for. */
export interface Surface {
  readonly targets: readonly Target[];
  readonly schemas: Schemas;
  /** Everything else that is served. */
  readonly paths: readonly string[];
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
    readonly group?: string;
    readonly version?: string;
  }[];
}

const methodsOf: Readonly<Record<string, readonly string[]>> = {
  get: ["GET"],
  list: ["GET"],
  create: ["POST", "POST", "POST"],
  update: ["PUT", "PUT"],
  patch: ["PATCH", "PATCH", "PATCH"],
  delete: ["DELETE"],
};

type Get = (path: string) => Promise<string>;

const kindKey = (group: string, version: string, kind: string): string => `${group}/${version}/${kind}`;

/** Asks the server itself what it serves. */
export const discover = async (get: Get): Promise<Surface> => {
  const read = async <T>(path: string): Promise<T> => parseJson(await get(path)) as T;
  const { paths } = await read<{ readonly paths: readonly string[] }>("/");
  const index = await read<{ readonly paths: Readonly<Record<string, unknown>> }>("/openapi/v3");
  const schemas = new Map<string, Schema>();
  const byKind = new Map<string, Schema>();
  const targets: Target[] = [];
  for (const path of Object.keys(index.paths)) {
    const document = await read<{ readonly components: { readonly schemas: Readonly<Record<string, Schema>> } }>(
      `/openapi/v3/${path}`,
    );
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      schemas.set(name, schema);
      const kinds = (schema as Readonly<Record<string, unknown>>)["x-kubernetes-group-version-kind"];
      for (const { group, version, kind } of (kinds ?? []) as readonly Readonly<Record<string, string>>[]) {
        byKind.set(kindKey(group ?? "", version ?? "", kind ?? ""), schema);
      }
    }
  }
  for (const path of Object.keys(index.paths)) {
    const [, group = "", version = ""] = path.startsWith("apis/") ? path.split("/") : ["", "", path.split("/")[1]];
    const { resources } = await read<ResourceList>(`/${path}`);
    for (const {
      name,
      kind,
      namespaced,
      verbs,
      group: bodyGroup = group,
      version: bodyVersion = version,
    } of resources) {
      const [plural = "", subresource = ""] = name.split("/");
      const schema =
        byKind.get(kindKey(bodyGroup, bodyVersion, kind)) ??
        [...schemas].find(([full]) => full.endsWith(`.${kind}`))?.[1];
      const methods = verbs.flatMap((verb) => methodsOf[verb] ?? []);
      targets.push({ base: `/${path}`, group, version, plural, subresource, namespaced, kind, methods, schema });
    }
  }
  return { targets, schemas, paths };
};
