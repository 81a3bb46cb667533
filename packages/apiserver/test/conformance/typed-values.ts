import { jsonText, parseJson } from "@capstan/schema/structural";
import { expect, it } from "vitest";
import type { Answer, Api } from "./api.ts";
import { expectCode, expectStatus } from "./expectations.ts";
import type { Section } from "./suite.ts";
import { typedFields, type TypedField, type TypedValueCase } from "./typed-value-cases.ts";

type Json = Readonly<Record<string | number, unknown>>;

const at = (value: unknown, path: TypedField["path"]): unknown =>
  path.reduce<unknown>((part, step) => (part as Json | undefined)?.[step], value);

/** A copy of `value` with a member set, lists and objects on the way to it made where they lack. */
const withMember = (value: unknown, [step, ...rest]: TypedField["path"], member: unknown): unknown => {
  if (step === undefined) return member;
  if (typeof step === "number") {
    return ((value ?? []) as readonly unknown[]).map((item, index) =>
      index === step ? withMember(item, rest, member) : item,
    );
  }
  const object = (value ?? {}) as Json;
  return { ...object, [step]: withMember(object[step], rest, member) };
};

/** The texts of every way to write one value into an object. */
const writes = (api: Api, collection: string, field: TypedField, live: Json, written: string) => {
  const { name, resourceVersion } = live["metadata"] as { readonly name: string; readonly resourceVersion: string };
  const item = `${collection}/${name}`;
  const text = (metadata: object | undefined): string =>
    JSON.stringify(withMember({ ...field.object, ...(metadata && { metadata }) }, field.path, "@@")).replace(
      '"@@"',
      written,
    );
  const query = { dryRun: "All", fieldValidation: "Ignore" };
  const [top = ""] = field.path;
  const operation = JSON.stringify([
    { op: "add", path: `/${top}`, value: (withMember(field.object, field.path, "@@") as Json)[top] },
  ]);
  const fresh = { name: `${name}-new` };
  return {
    create: () => api.post(collection, text(fresh), { query }),
    yaml: () => api.post(collection, text(fresh), { query, type: "application/yaml" }),
    put: () => api.put(item, text(field.plural === "leases" ? { name, resourceVersion } : { name }), { query }),
    merge: () => api.mergePatch(item, text(undefined), { query }),
    json: () => api.jsonPatch(item, operation.replace('"@@"', written), { query }),
    strategic: () => api.strategicPatch(item, text(undefined), { query }),
    apply: () => api.apply(`${item}-new`, "m", text(fresh), { query }),
    "apply again": () => api.apply(item, "m", text({ name }), { query: { ...query, force: true } }),
  } as const satisfies Record<string, () => Promise<Answer>>;
};

const refusals = {
  create: 400,
  yaml: 400,
  put: 400,
  merge: 422,
  json: 422,
  strategic: 422,
  apply: 500,
  "apply again": 500,
};

const outcomeOf = (way: keyof typeof refusals, [, json, ...more]: TypedValueCase): string | undefined => {
  const loose = more.length > 0 ? more[0] : json;
  if (way === "yaml" || way === "strategic") return loose;
  return way.startsWith("apply") ? (more.length > 1 ? more[1] : loose) : json;
};

/** What the fields of built-in kinds make of values, by every way of writing. */
export const typedValues: Section = (suite) => {
  it.each(Object.entries(typedFields))("a %s", async (title, field) => {
    const { api, namespace } = suite();
    const collection = `${field.api}/namespaces/${namespace}/${field.plural}`;
    const name = `typed-${title.toLowerCase().replaceAll(" ", "-")}`;
    const involved =
      field.plural === "events" ? { ...field, object: { ...field.object, involvedObject: { namespace } } } : field;
    const base = await api.post(collection, { ...involved.object, metadata: { name } });
    expectCode(base, 201);
    for (const each of field.cases) {
      const all = writes(api, collection, involved, base.body as Json, each[0]);
      for (const [way, write] of Object.entries(all) as [keyof typeof all, () => Promise<Answer>][]) {
        const answer = await write();
        const what = `${way} of ${each[0]}: ${answer.text.slice(0, 400)}`;
        const outcome = outcomeOf(way, each);
        if (outcome === "refused") {
          expect(answer.code, what).toBe(refusals[way]);
        } else {
          expect(answer.code, what).toBeLessThan(300);
          const stored = at(parseJson(answer.text), field.path);
          expect(stored === undefined || stored === null ? undefined : jsonText(stored), what).toBe(outcome);
        }
      }
    }
  });

  it("are read in what does not count as well", async () => {
    const { api, namespace } = suite();
    const path = `/api/v1/namespaces/${namespace}/pods/unread`;
    const pod = { apiVersion: "v1", kind: "Pod", spec: { containers: [{ name: "c", image: "i" }] } };
    const metadata = { name: "unread" };
    for (const wrong of [{ status: { startTime: "x" } }, { status: [] }, { status: { nope: 1 } }, { metadata: "x" }]) {
      expectCode(await api.apply(path, "m", { ...pod, metadata, ...wrong }), 500);
    }
    expectCode(await api.apply(path, "m", { ...pod, metadata: { ...metadata, uid: 5 } }), 500);
  });

  it("are required of match conditions", async () => {
    const { api } = suite();
    const clientConfig = { url: "https://127.0.0.1:1/" };
    const hook = { clientConfig, name: "a.b.example", sideEffects: "None", admissionReviewVersions: ["v1"] };
    const webhooks = [{ ...hook, matchConditions: [{ name: "x" }] }];
    const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    const answer = await api.post(path, { metadata: { name: "unconditional" }, webhooks });
    expectStatus(answer, 422, { causes: ["FieldValueRequired webhooks[0].matchConditions[0].expression"] });
  });
};
