import { isJsonObject } from "@capstan/schema";
import { canonicalJson } from "@capstan/schema/structural";
import { expect } from "vitest";
import type { Answer, Api } from "../conformance/api.ts";
import { eventually, expectCode } from "../conformance/expectations.ts";
import { type Node, nodes, type Place, places, refusedNodes, values } from "./schema-cases.ts";

const group = "schemas.capstan.test";
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const definition = (plural: string, spec: Node): object => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural, kind: kindOf(plural) },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
      },
    ],
  },
});

const kindOf = (plural: string): string => `${plural.charAt(0).toUpperCase()}${plural.slice(1)}`;

const causesOf = ({ body }: Answer): string => {
  const causes = (body?.details?.causes ?? []) as readonly { readonly reason: string; readonly field?: string }[];
  return [...new Set(causes.map(({ reason, field }) => `${reason} ${field ?? ""}`))].toSorted().join(", ");
};

const definitionFact = async (api: Api, name: string, place: Place): Promise<string> => {
  const node = { ...nodes, ...refusedNodes }[name] as Node;
  const spec = { type: "object", properties: { f: place.node(node) } };
  const answer = await api.post(crds, definition("trieds", spec), { query: { dryRun: "All" } });
  return `${answer.code} ${causesOf(answer)}`.trim().replaceAll(/spec\.validation\.\S*?\[f\]/g, "~");
};

/** What is said of definitions with each schema, as a field. */
export const factsOfDefinitions = async (
  api: Api,
  names: readonly string[],
  place: string,
): Promise<Readonly<Record<string, string>>> => {
  const at = places[place] as Place;
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await definitionFact(api, name, at)] as const)),
  );
};

/** A kind with every schema in one place, each as a field of the spec. */
interface Served {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
}

const serve = async (api: Api, name: string, { node }: Place): Promise<Served> => {
  const plural = `${name.toLowerCase()}s`;
  const properties = Object.fromEntries(Object.entries(nodes).map(([field, each]) => [field, node(each)]));
  expectCode(await api.post(crds, definition(plural, { type: "object", properties })), 201);
  const served = {
    path: `/apis/${group}/v1/namespaces/default/${plural}`,
    apiVersion: `${group}/v1`,
    kind: kindOf(plural),
  };
  const metadata = { name: "first" };
  await eventually(async () =>
    expectCode(
      await api.post(
        served.path,
        { apiVersion: served.apiVersion, kind: served.kind, metadata },
        { query: { dryRun: "All" } },
      ),
      201,
    ),
  );
  const there = { apiVersion: served.apiVersion, kind: served.kind, metadata: { name: "there" }, spec: {} };
  await api.post(served.path, there);
  // The schema of server-side apply is made a little later.
  await eventually(async () => {
    const object = { apiVersion: served.apiVersion, kind: served.kind, metadata, spec: { object: node({}) } };
    expect((await api.apply(`${served.path}/first`, "m", object, { query: { dryRun: "All" } })).code).not.toBe(404);
  });
  return served;
};

const ownedBy = (answer: Answer, field: string): unknown => {
  const [entry] = (answer.body?.metadata?.managedFields ?? []) as readonly { readonly fieldsV1?: unknown }[];
  const fields = entry?.fieldsV1;
  const spec = isJsonObject(fields) ? fields["f:spec"] : undefined;
  return isJsonObject(spec) ? spec[`f:${field}`] : undefined;
};

/** What a server makes of one value of a field: what is stored, warned of and owned, or why it is refused. */
const outcome = (answer: Answer, field: string, isApply: boolean): string => {
  const { code, body, warnings } = answer;
  if (code >= 400) return `${code} ${causesOf(answer)}`.trim();
  const stored = isJsonObject(body.spec) ? body.spec[field] : undefined;
  const said = warnings.length === 0 ? "" : ` warns ${warnings.join("; ")}`;
  const owned = isApply ? ` owns ${canonicalJson(ownedBy(answer, field) ?? null)}` : "";
  return `${code} ${stored === undefined ? "nothing" : canonicalJson(stored)}${said}${owned}`;
};

const dry = { dryRun: "All" } as const;

type Way = (api: Api, at: Served, object: { readonly spec: object }) => Promise<Answer>;

const ways: Readonly<Record<string, Way>> = {
  create: (api, { path }, object) => api.post(path, object, { query: dry }),
  strict: (api, { path }, object) => api.post(path, object, { query: { ...dry, fieldValidation: "Strict" } }),
  apply: (api, { path }, object) => api.apply(`${path}/x`, "m", object, { query: dry }),
  replace: async (api, { path }, object) => {
    const { metadata } = (await api.get(`${path}/there`)).body;
    return api.put(`${path}/there`, { ...object, metadata }, { query: dry });
  },
  merge: (api, { path }, { spec }) => api.mergePatch(`${path}/there`, { spec }, { query: dry }),
  mergeStrict: (api, { path }, { spec }) =>
    api.mergePatch(`${path}/there`, { spec }, { query: { ...dry, fieldValidation: "Strict" } }),
};

const atOnce = 24;

/** One value of the field of that name, and how it is written. */
export type Tried = readonly [way: string, field: string, value: unknown];

export const everything: readonly Tried[] = Object.keys(nodes).flatMap((field) =>
  values.flatMap((value) => Object.keys(ways).map((way): Tried => [way, field, value])),
);

/** What is made of values where their schemas are in one place. It can be asked once of a server. */
export const factsOfValues = async (
  api: Api,
  tried: readonly Tried[],
  place: string,
): Promise<Readonly<Record<string, string>>> => {
  const around = places[place] as Place;
  const served = await serve(api, place, around);
  const { apiVersion, kind } = served;
  const facts: [string, string][] = [];
  for (let start = 0; start < tried.length; start += atOnce) {
    const some = tried.slice(start, start + atOnce).map(async ([way, field, value]): Promise<[string, string]> => {
      const object = { apiVersion, kind, metadata: { name: "x" }, spec: { [field]: around.value(value) } };
      const answer = await (ways[way] as (typeof ways)[string])(api, served, object);
      // A path through a map is written in two ways.
      return [
        `${way} ${field} ${JSON.stringify(value)}`,
        outcome(answer, field, way === "apply").replaceAll("[v]", ".v"),
      ];
    });
    facts.push(...(await Promise.all(some)));
  }
  return Object.fromEntries(facts);
};
