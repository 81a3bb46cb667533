import { operationNames } from "./operation-names.ts";
import type { GroupVersionKind, ResourceDefinition, SubresourceDefinition, Verb } from "../model/types.ts";
import { gvkExtension, reference } from "./openapi-schemas.ts";
import type { SchemaCollector } from "./openapi-schemas.ts";

type Json = Readonly<Record<string, unknown>>;

const parameter = (name: string, type: string, where = "query"): Json => ({
  name,
  in: where,
  schema: { type, ...(where === "path" && { uniqueItems: true }) },
  ...(where === "path" && { required: true }),
});

const writeParameters = ["dryRun", "fieldManager", "fieldValidation"].map((name) => parameter(name, "string"));
const listParameters = [
  parameter("allowWatchBookmarks", "boolean"),
  ...["continue", "fieldSelector", "labelSelector"].map((name) => parameter(name, "string")),
  parameter("limit", "integer"),
  ...["resourceVersion", "resourceVersionMatch"].map((name) => parameter(name, "string")),
  parameter("sendInitialEvents", "boolean"),
  parameter("timeoutSeconds", "integer"),
  parameter("watch", "boolean"),
];
const deleteParameters = [
  parameter("dryRun", "string"),
  parameter("gracePeriodSeconds", "integer"),
  parameter("orphanDependents", "boolean"),
  parameter("propagationPolicy", "string"),
];

/** HTTP method and query parameters of each verb; watching is a parameter of listing. */
const operations: Readonly<
  Record<Exclude<Verb, "watch">, { readonly method: string; readonly parameters: readonly Json[] }>
> = {
  get: { method: "get", parameters: [] },
  list: { method: "get", parameters: listParameters },
  create: { method: "post", parameters: writeParameters },
  update: { method: "put", parameters: writeParameters },
  patch: { method: "patch", parameters: [...writeParameters, parameter("force", "boolean")] },
  delete: { method: "delete", parameters: deleteParameters },
  deletecollection: { method: "delete", parameters: [...deleteParameters, ...listParameters] },
};

const collectionVerbs = ["list", "create", "deletecollection"] as const;
const itemVerbs = ["get", "update", "patch", "delete"] as const;

const patchTypes = (definition: ResourceDefinition): readonly string[] => [
  "application/apply-patch+yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
  ...(definition.origin === "builtin" ? ["application/strategic-merge-patch+json"] : []),
];

interface Target {
  readonly definition: ResourceDefinition;
  readonly kind: GroupVersionKind;
  /** Schemas of the body and of the answer to a list. */
  readonly object: Json;
  readonly list: Json;
  readonly collector: SchemaCollector;
  readonly inNamespace: boolean;
  readonly part?: SubresourceDefinition;
}

/** The paths of a resource and its subresources. */
export const pathsOf = (definition: ResourceDefinition, collector: SchemaCollector): Json => {
  const { group, version, kind, plural, namespaced, verbs } = definition;
  const names = collector.addKind(definition);
  const target: Target = {
    definition,
    kind: { group, version, kind },
    object: reference(names.object),
    list: reference(names.list),
    collector,
    inNamespace: namespaced,
  };
  const base = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${base}${namespaced ? "/namespaces/{namespace}" : ""}/${plural}`;
  const item = `${collection}/{name}`;
  const served = verbs.filter((verb) => verb !== "watch");
  const pathParameters = namespaced ? [parameter("namespace", "string", "path")] : [];
  const named = [parameter("name", "string", "path"), ...pathParameters];
  return Object.fromEntries(
    [
      [
        collection,
        pathItem(
          target,
          collectionVerbs.filter((verb) => served.includes(verb)),
          pathParameters,
        ),
      ] as const,
      [
        item,
        pathItem(
          target,
          itemVerbs.filter((verb) => served.includes(verb)),
          named,
        ),
      ] as const,
      ...(namespaced && served.includes("list")
        ? [[`${base}/${plural}`, pathItem({ ...target, inNamespace: false }, ["list"], [])] as const]
        : []),
      ...definition.subresources
        .filter(({ behaviour }) => behaviour.type !== "absent")
        .map((part) => [`${item}/${part.name}`, subresourceItem(target, part, named)] as const),
    ].filter(([, operationsOfPath]) => operationsOfPath !== undefined),
  );
};

const pathItem = (
  target: Target,
  verbs: readonly (keyof typeof operations)[],
  parameters: readonly Json[],
): Json | undefined =>
  verbs.length === 0
    ? undefined
    : {
        ...(parameters.length > 0 && { parameters }),
        ...Object.fromEntries(verbs.map((verb) => [operations[verb].method, operation(target, verb)])),
      };

const subresourceItem = (
  target: Target,
  part: SubresourceDefinition,
  parameters: readonly Json[],
): Json | undefined => {
  const kind = part.kind ?? target.kind;
  const object =
    part.kind === undefined ? target.object : (kindReference(part.kind, target.collector) ?? target.object);
  const verbs = part.verbs.filter((verb): verb is Exclude<Verb, "watch"> => verb !== "watch");
  return pathItem({ ...target, kind, object, part }, verbs, parameters);
};

/** Body kinds of subresources belong to the groups that own them. */
const bodyTables: Readonly<Record<string, string>> = {
  "": "core",
  autoscaling: "autoscaling",
  policy: "policy",
  "authentication.k8s.io": "authentication",
};

const kindReference = ({ group, kind }: GroupVersionKind, collector: SchemaCollector): Json | undefined => {
  const table = bodyTables[group];
  return table === undefined ? undefined : collector.addType(table, kind);
};

const content = (types: readonly string[], schema: Json): Json =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

const operation = (target: Target, verb: keyof typeof operations): Json => {
  const { definition, kind, object, list, collector, inNamespace, part } = target;
  const answer = verb === "list" ? list : verb.startsWith("delete") ? collector.addType("meta", "Status") : object;
  const body =
    verb === "patch"
      ? content(patchTypes(definition), { type: "object" })
      : verb.startsWith("delete")
        ? content(["*/*"], collector.addType("meta", "DeleteOptions"))
        : verb === "create" || verb === "update"
          ? content(["*/*"], object)
          : undefined;
  const { method, parameters } = operations[verb];
  const connects = part?.behaviour.type === "ports" ? method : undefined;
  const place = {
    definition,
    inNamespace,
    ...(part !== undefined && { subresource: part.name }),
    ...(connects !== undefined && { connects }),
  };
  return {
    ...operationNames(place, verb),
    "x-kubernetes-action": connects !== undefined ? "connect" : verb === "update" || verb === "create" ? method : verb,
    [gvkExtension]: { group: kind.group, kind: kind.kind, version: kind.version },
    ...(parameters.length > 0 && { parameters }),
    ...(body === undefined ? {} : { requestBody: { content: body } }),
    responses: { "200": { description: "OK", content: content(["application/json", "application/yaml"], answer) } },
  };
};
