import { afterAll, beforeAll, expect, it } from "vitest";
import type { ApiServer } from "../src/index.ts";
import { type Answer, type Api, createApi } from "./conformance/api.ts";
import { eventually, expectCode } from "./conformance/expectations.ts";
import { configMaps } from "./conformance/objects.ts";
import { startServer } from "./embedded-server.ts";

const group = "long.capstan.test";
const path = `/apis/${group}/v1/namespaces/default/lists`;

/** Compares every item with every other, for which Kubernetes asks a unit, and which takes a quarter of a microsecond. */
const rule = "self.items.all(a, self.items.all(b, a == b || a.name != b.name || a.size == b.size))";

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `lists.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: "lists", singular: "list", kind: "Listing", listKind: "ListingList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  items: {
                    type: "array",
                    maxItems: 400,
                    items: {
                      type: "object",
                      properties: { name: { type: "string", maxLength: 20 }, size: { type: "integer" } },
                    },
                  },
                },
                "x-kubernetes-validations": [{ rule, message: "names are unique" }],
              },
            },
          },
        },
      },
    ],
  },
};

const listing = (name: string, items: readonly object[]) => ({
  apiVersion: `${group}/v1`,
  kind: "Listing",
  metadata: { name },
  spec: { items },
});

const items = Array.from({ length: 400 }, (_, index) => ({ name: `n${index}`, size: index }));

let server: ApiServer;
let api: Api;

beforeAll(async () => {
  server = await startServer();
  const tokens = { admin: "token-admin", alice: "token-alice", bob: "token-bob" };
  api = createApi({
    url: server.url,
    caCertificate: server.caCertificate,
    tokens,
    carol: { certificate: "", key: "" },
  });
  expectCode(await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition), 201);
  await eventually(async () => expectCode(await api.get(path), 200));
});

afterAll(async () => {
  await api.close();
  await server.stop();
});

/** The answer to a request that takes long; others that came later are answered before. */
const whileOthersAreAnswered = async (request: Promise<Answer>): Promise<Answer> => {
  const answered: string[] = [];
  const long = request.then((answer) => {
    answered.push("long");
    return answer;
  });
  const short = Array.from({ length: 5 }, async () => {
    expectCode(await api.get(configMaps("default")), 200);
    answered.push("short");
  });
  await Promise.all([long, ...short]);
  expect(answered).toEqual([...short.map(() => "short"), "long"]);
  return long;
};

it("others are answered while the rules of an object are evaluated", async () => {
  const answer = await whileOthersAreAnswered(api.post(path, listing("long", items)));
  expectCode(answer, 422);
  expect(answer.body).toMatchObject({
    details: {
      causes: [
        {
          field: "spec",
          message: expect.stringContaining("call cost exceeds limit for rule") as string,
        },
      ],
    },
  });
});

it("the verdict is that of the rule, however long it takes", async () => {
  const many = items.slice(0, 250);
  expectCode(await api.post(path, listing("many", many)), 201);
  const twice = await api.post(path, listing("twice", [...many.slice(1), { name: "n7", size: 8 }]));
  expectCode(twice, 422);
  expect(twice.body).toMatchObject({ message: expect.stringContaining("names are unique") as string });
});

it.each([
  ["alone", ""],
  ["and asks who is asking", " && authorizer.path('/healthz').check('get').allowed()"],
])("a policy that takes long decides as well: %s", async (name, more) => {
  const policies = "/apis/admissionregistration.k8s.io/v1";
  const policy = `unique-${name === "alone" ? "alone" : "asked"}`;
  const expression = `object.data.all(k, object.data.all(l, k == l || object.data[k] != object.data[l]))${more}`;
  const of = (kind: string, spec: object) => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: policy },
    spec,
  });
  const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }];
  const matchConditions = [{ name: "its own", expression: `object.metadata.name.startsWith('${policy}')` }];
  const validations = [{ expression, message: "values are unique" }];
  const spec = { matchConstraints: { resourceRules }, matchConditions, validations };
  expectCode(await api.post(`${policies}/validatingadmissionpolicies`, of("ValidatingAdmissionPolicy", spec)), 201);
  const binding = of("ValidatingAdmissionPolicyBinding", { policyName: policy, validationActions: ["Deny"] });
  expectCode(await api.post(`${policies}/validatingadmissionpolicybindings`, binding), 201);
  const configMap = (suffix: string, values: readonly string[]) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `${policy}-${suffix}` },
    data: Object.fromEntries(values.map((value, index) => [`k${index}`, value])),
  });
  const values = Array.from({ length: 200 }, (_, index) => `v${index}`);
  const good = api.post(configMaps("default"), configMap("good", values));
  expectCode(await whileOthersAreAnswered(good), 201);
  const refused = await api.post(configMaps("default"), configMap("bad", [...values, "v7"]));
  expectCode(refused, 422);
  expect(refused.body).toMatchObject({ message: expect.stringContaining("values are unique") as string });
});

/** A definition with a thousand rules, of which the last is given. */
const manyRules = (plural: string, last: string) => {
  const field = (rule: string) => ({ type: "integer", "x-kubernetes-validations": [{ rule }] });
  const fields = Array.from({ length: 1_000 }, (_, index) => [`f${index}`, field(`self >= ${index}`)] as const);
  const properties = { ...Object.fromEntries(fields), last: field(last) };
  const kind = `Kind${plural}`;
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } };
  return {
    ...definition,
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...definition.spec,
      names: { plural, singular: plural, kind, listKind: `${kind}List` },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
};
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

it("others are answered while the rules of a definition are compiled", async () => {
  expectCode(await whileOthersAreAnswered(api.post(crds, manyRules("goods", "self < 3"))), 201);
  const goods = `/apis/${group}/v1/namespaces/default/goods`;
  await eventually(async () => expectCode(await api.get(goods), 200));
  const good = (name: string, spec: object) => ({
    apiVersion: `${group}/v1`,
    kind: "Kindgoods",
    metadata: { name },
    spec,
  });
  expectCode(await api.post(goods, good("good", { f1: 1, last: 2 })), 201);
  const refused = await api.post(goods, good("bad", { f1: 0, f2: 2, last: 3 }));
  expectCode(refused, 422);
  const fields = (refused.body as { details: { causes: { field: string }[] } }).details.causes.map(
    ({ field }) => field,
  );
  expect(fields).toEqual(["spec.f1", "spec.last"]);
  const all = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, 1_000]));
  expectCode(await whileOthersAreAnswered(api.post(goods, good("all", all))), 201);
});

it("mistakes in a definition with many rules are told as in others", async () => {
  const answer = await api.post(crds, manyRules("bads", "self.nothing"));
  expectCode(answer, 422);
  expect(answer.body).toMatchObject({
    details: {
      causes: [
        {
          reason: "FieldValueInvalid",
          field: "spec.validation.openAPIV3Schema.properties[spec].properties[last].x-kubernetes-validations[0].rule",
          message: expect.stringContaining("compilation failed") as string,
        },
      ],
    },
  });
});
