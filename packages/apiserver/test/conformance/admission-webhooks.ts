import { afterAll, beforeAll, expect, it } from "vitest";
import type { Answer } from "./api.ts";
import { eventually, expectCode, expectStatus } from "./expectations.ts";
import { allow, type Hook, type HookServer, patchWith, startHookServer } from "./hook-server.ts";
import { configMap, configMaps, deployment, deployments, widget, widgets } from "./objects.ts";
import type { Section } from "./suite.ts";

const registration = "/apis/admissionregistration.k8s.io/v1";
const mutating = `${registration}/mutatingwebhookconfigurations`;
const validating = `${registration}/validatingwebhookconfigurations`;

const rule = (resource: string, more: object = {}): object => ({
  operations: ["*"],
  apiGroups: ["*"],
  apiVersions: ["*"],
  resources: [resource],
  ...more,
});

const minimal = { sideEffects: "None", admissionReviewVersions: ["v1"] };

const add = (path: string, value: unknown): object => ({ op: "add", path, value });

const reviewOf = (response: object) => ({
  raw: JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", ...response }),
});

const beta = (name: string): object => ({ ...widget(name), apiVersion: "conf.capstan.test/v1beta1" });

/** A webhook of a case: what it answers and how its entry differs. */
interface Entry {
  readonly hook?: Hook;
  readonly settings?: object;
}

/** Admission webhooks. */
export const admissionWebhooks: Section = (suite) => {
  let server: HookServer;
  beforeAll(async () => {
    server = await startHookServer();
  });
  afterAll(() => server.close());

  const entryOf = (name: string, { settings }: Entry): object => ({
    name: `${name}.conf.capstan.test`,
    ...minimal,
    clientConfig: { url: `${server.url}/${name}`, caBundle: server.caBundle },
    rules: [rule("configmaps")],
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": suite().namespace } },
    ...settings,
  });

  let markers = 0;
  /**
   * Resolves when what was written to the collection is in effect. A server follows configurations with some delay, but in order:
   * once the webhook of a newer one is called, all that was written before is known.
   */
  const settled = async (collection: string): Promise<void> => {
    const { api } = suite();
    const marker = `marker-${++markers}`;
    const settings = { objectSelector: { matchLabels: { marker } }, namespaceSelector: {} };
    const webhooks = [entryOf("marker", { settings })];
    expectCode(await api.post(collection, { metadata: { name: marker }, webhooks }), 201);
    await eventually(async () => {
      const object = configMap({ generateName: "marker-", labels: { marker } });
      expectCode(await api.post(configMaps("default"), object, { query: { dryRun: "All" } }), 201);
      expect(server.marked).toContain(marker);
    });
    expectCode(await api.delete(`${collection}/${marker}`), 200);
  };

  /** Runs a case while these webhooks are configured, one configuration per list, by its name. */
  const during = async (
    collection: string,
    configurations: Readonly<Record<string, Readonly<Record<string, Entry>>>>,
    run: () => Promise<void>,
  ): Promise<void> => {
    const { api } = suite();
    const entries = Object.values(configurations).flatMap((configuration) => Object.entries(configuration));
    server.reset(Object.fromEntries(entries.map(([name, { hook }]) => [`/${name}`, hook ?? allow])));
    try {
      for (const [name, configuration] of Object.entries(configurations)) {
        const webhooks = Object.entries(configuration).map(([hook, entry]) => entryOf(hook, entry));
        expectCode(await api.post(collection, { metadata: { name }, webhooks }), 201);
      }
      await settled(collection);
      await run();
    } finally {
      for (const name of Object.keys(configurations)) await api.delete(`${collection}/${name}`);
      await settled(collection);
    }
  };
  const validatedBy = (entry: Entry, run: () => Promise<void>) => during(validating, { i: { hook: entry } }, run);
  const mutatedBy = (entry: Entry, run: () => Promise<void>) => during(mutating, { i: { hook: entry } }, run);
  const create = (metadata: string | object): Promise<Answer> =>
    suite().api.post(configMaps(suite().namespace), configMap(metadata));
  /** Requests of the cases; those of controllers do not count. */
  const asked = () =>
    server.calls.map(({ review }) => review.request).filter(({ userInfo }) => userInfo.username === "admin");

  it("I01 fills a configuration with defaults", async () => {
    const { api } = suite();
    const service = { namespace: "n", name: "s" };
    const webhook = { name: "a.b.c", ...minimal, clientConfig: { service }, rules: [rule("nothing")] };
    const answer = await api.post(mutating, { metadata: { name: "i01" }, webhooks: [webhook] });
    expectCode(answer, 201);
    expect(answer.body.webhooks[0]).toMatchObject({
      failurePolicy: "Fail",
      matchPolicy: "Equivalent",
      reinvocationPolicy: "Never",
      timeoutSeconds: 10,
      namespaceSelector: {},
      objectSelector: {},
      clientConfig: { service: { port: 443 } },
      rules: [{ scope: "*" }],
    });
    expectCode(await api.delete(`${mutating}/i01`), 200);
  });

  it("I02 refuses an entry without what is needed", async () => {
    const webhooks = [{ name: "nodots", sideEffects: "Some", clientConfig: {}, admissionReviewVersions: [] }];
    expectStatus(await suite().api.post(validating, { metadata: { name: "i02" }, webhooks }), 422, {
      reason: "Invalid",
      causes: [
        "FieldValueInvalid webhooks[0].name",
        "FieldValueNotSupported webhooks[0].sideEffects",
        "FieldValueRequired webhooks[0].clientConfig",
        "FieldValueRequired webhooks[0].admissionReviewVersions",
      ],
    });
  });

  it("I03 passes warnings on", async () => {
    await validatedBy({ hook: () => ({ response: { allowed: true, warnings: ["one", "two"] } }) }, async () => {
      const answer = await create("i03");
      expectCode(answer, 201);
      expect(answer.warnings).toEqual(["one", "two"]);
    });
  });

  it("I04 calls webhooks for every kind of write", async () => {
    const { api, namespace } = suite();
    const path = `${configMaps(namespace)}/i04`;
    await validatedBy({}, async () => {
      /** A server whose cache is behind asks webhooks about what it has there, and once more about what is stored. */
      const cached = async (answer: Answer): Promise<void> => {
        expectCode(answer, 200);
        const { resourceVersion } = answer.body.metadata;
        expectCode(await api.get(path, { query: { resourceVersion } }), 200);
      };
      const { body } = await create("i04");
      await cached(await api.put(path, { ...body, data: { a: "1" } }));
      await cached(await api.mergePatch(path, { data: { a: "2" } }, { query: { fieldManager: "me" } }));
      expectCode(await api.delete(path, { query: { propagationPolicy: "Background" } }), 200);
      const kind = { group: "", version: "v1", kind: "ConfigMap" };
      const resource = { group: "", version: "v1", resource: "configmaps" };
      expect(server.calls[0]?.url).toBe("/hook?timeout=10s");
      expect(server.calls[0]?.review).toMatchObject({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" });
      expect(asked()).toMatchObject([
        {
          operation: "CREATE",
          oldObject: null,
          options: { kind: "CreateOptions" },
          object: { metadata: { name: "i04" } },
        },
        { operation: "UPDATE", object: { data: { a: "1" } }, options: { kind: "UpdateOptions" } },
        {
          operation: "UPDATE",
          object: { data: { a: "2" } },
          oldObject: { data: { a: "1" } },
          options: { kind: "UpdateOptions", fieldManager: "me" },
        },
        {
          operation: "DELETE",
          object: null,
          oldObject: { data: { a: "2" } },
          options: { kind: "DeleteOptions", propagationPolicy: "Background" },
        },
      ]);
      for (const request of asked()) {
        expect(request).toMatchObject({ kind, resource, requestKind: kind, requestResource: resource, namespace });
        expect(request).toMatchObject({ name: "i04", dryRun: false, userInfo: { username: "admin" } });
      }
    });
  });

  it("I04 shows identity to validating webhooks only", async () => {
    const generated = { generateName: "i04-" };
    await validatedBy({}, async () => {
      expectCode(await create(generated), 201);
      const [{ name, object }] = asked();
      expect(name).toMatch(/^i04-.{5}$/);
      expect(object.metadata).toMatchObject({ name, uid: expect.any(String), creationTimestamp: expect.any(String) });
    });
    await mutatedBy({}, async () => {
      expectCode(await create(generated), 201);
      const [{ name, object }] = asked();
      expect([name, object.metadata.uid, object.metadata.creationTimestamp]).toEqual([undefined, undefined, undefined]);
    });
  });

  it("I05 says when nothing will be stored", async () => {
    const { api, namespace } = suite();
    await validatedBy({}, async () => {
      expectCode(await api.post(configMaps(namespace), configMap("i05"), { query: { dryRun: "All" } }), 201);
      expect(asked()).toMatchObject([{ dryRun: true, options: { dryRun: ["All"] } }]);
    });
  });

  it.each<[string, object, number, object]>([
    ["I06 without status", {}, 400, { message: /denied the request without explanation$/ }],
    ["I07 with a message", { status: { message: "no way" } }, 400, { message: /denied the request: no way$/ }],
    [
      "I08 with a status",
      { status: { code: 422, reason: "Invalid", details: { causes: [{ reason: "R", field: "data.a" }] } } },
      422,
      { reason: "Invalid", causes: ["R data.a"] },
    ],
  ])("%s refuses", async (_, response, code, expected) => {
    await validatedBy({ hook: () => ({ response: { allowed: false, ...response } }) }, async () => {
      const answer = await create("denied");
      expectStatus(answer, code, expected);
      expect(answer.body.message).toMatch(/^admission webhook "hook\.conf\.capstan\.test" denied the request/);
    });
  });

  it.each<[string, Entry]>([
    ["I09 the answer is 500", { hook: () => ({ raw: "{}", code: 500 }) }],
    ["I09 the answer is not JSON", { hook: () => ({ raw: "hello" }) }],
    ["I09 there is no response", { hook: () => reviewOf({}) }],
    ["I09 the uid is another", { hook: () => reviewOf({ response: { uid: "x", allowed: true } }) }],
    ["I09 a validating webhook patches", { hook: patchWith(add("/data", {})) }],
    ["I10 no answer comes in time", { hook: () => ({ never: true }), settings: { timeoutSeconds: 1 } }],
    ["I11 the connection is refused", { settings: { clientConfig: { url: "https://127.0.0.1:1/x" } } }],
    ["I11 the service is missing", { settings: { clientConfig: { service: { namespace: "n", name: "none" } } } }],
  ])("%s: the failure policy decides", async (title, entry) => {
    await validatedBy(entry, async () => {
      expectStatus(await create("i-fail"), 500, { reason: "InternalError", message: /failed calling webhook "hook\./ });
    });
    const name = `ignored-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
    await validatedBy({ ...entry, settings: { ...entry.settings, failurePolicy: "Ignore" } }, async () => {
      expectCode(await create(name), 201);
    });
  });

  it("I10 speaks the version that a webhook prefers", async () => {
    const settings = { admissionReviewVersions: ["v9", "v1beta1", "v1"] };
    const old: Hook = () => ({ raw: JSON.stringify({ response: { allowed: false, status: { message: "old" } } }) });
    await validatedBy({ hook: old, settings }, async () => {
      expectStatus(await create("i10"), 400, { message: /denied the request: old$/ });
      expect(server.calls[0]?.review.apiVersion).toBe("admission.k8s.io/v1beta1");
    });
  });

  it("I11 does not trust an unknown authority", async () => {
    await validatedBy({ settings: { clientConfig: { url: `${server.url}/hook` } } }, async () => {
      expectStatus(await create("i11"), 500, { reason: "InternalError" });
      expect(server.calls).toEqual([]);
    });
  });

  it.each<[string, object, object, readonly string[]]>([
    ["I12 the namespace is not selected", { namespaceSelector: { matchLabels: { no: "x" } } }, {}, []],
    ["I13 the object is not selected", { objectSelector: { matchLabels: { a: "b" } } }, {}, []],
    ["I13 the object is selected", { objectSelector: { matchLabels: { a: "b" } } }, { a: "b" }, ["CREATE", "DELETE"]],
    [
      "I14 all conditions are true",
      {
        matchConditions: [
          { name: "name", expression: "request.name != 'x'" },
          { name: "create", expression: "request.operation == 'CREATE'" },
        ],
      },
      {},
      ["CREATE"],
    ],
    ["I14 a condition is false", { matchConditions: [{ name: "no", expression: "object == null" }] }, {}, ["DELETE"]],
  ])("%s: called %j", async (_, settings, labels, expected) => {
    await validatedBy({ settings }, async () => {
      expectCode(await create({ name: "selected", labels }), 201);
      expectCode(await suite().api.delete(`${configMaps(suite().namespace)}/selected`), 200);
      expect(asked().map(({ operation }) => operation)).toEqual(expected);
    });
  });

  it("I14 refuses when a condition cannot be evaluated", async () => {
    const matchConditions = [{ name: "bad", expression: "object.spec.none == 1" }];
    await validatedBy({ settings: { matchConditions } }, async () => {
      expectStatus(await create("i14"), 403, { reason: "Forbidden" });
    });
  });

  it("I15 calls the webhooks of a configuration in order", async () => {
    const hooks = { zz: { hook: patchWith(add("/data", { a: "1" })) }, aa: { hook: patchWith(add("/data/b", "2")) } };
    await during(mutating, { i: hooks }, async () => {
      const answer = await create("i15");
      expectCode(answer, 201);
      expect(answer.body.data).toEqual({ a: "1", b: "2" });
      expect(asked()[1].object.data).toEqual({ a: "1" });
    });
  });

  it("I16 calls configurations by name", async () => {
    const second = { second: { hook: patchWith(add("/data/b", "2")) } };
    const first = { first: { hook: patchWith(add("/data", { a: "1" })) } };
    await during(mutating, { "i16-b": second, "i16-a": first }, async () => {
      const answer = await create("i16");
      expectCode(answer, 201);
      expect(answer.body.data).toEqual({ a: "1", b: "2" });
    });
  });

  it("I16 calls a webhook again that asked for it, once, when a later one changed the object", async () => {
    const count: Hook = ({ object }) => patchWith(add("/data", { ...object.data, a: `${object.data?.a ?? ""}x` }))({});
    const later = { hook: patchWith(add("/data/b", "2")) };
    const ifNeeded = { hook: count, settings: { reinvocationPolicy: "IfNeeded" } };
    await during(mutating, { i: { first: ifNeeded, later } }, async () => {
      expect((await create("i16-again")).body.data).toEqual({ a: "xx", b: "2" });
      expect(server.calls.map(({ url }) => url.split("?")[0])).toEqual(["/first", "/later", "/first"]);
    });
    await during(mutating, { i: { first: { hook: count }, later } }, async () => {
      expect((await create("i16-once")).body.data).toEqual({ a: "x", b: "2" });
    });
  });

  it.each<[string, Hook]>([
    ["fails", patchWith({ op: "remove", path: "/data/none" })],
    ["has no type", () => ({ response: { allowed: true, patch: Buffer.from("[]").toString("base64") } })],
  ])("I17 a patch that %s is an error", async (_, hook) => {
    await mutatedBy({ hook }, async () => expectStatus(await create("i17"), 500, { reason: "InternalError" }));
  });

  it("I18 validates what webhooks made, I19 prunes it", async () => {
    const { api, namespace } = suite();
    const settings = { rules: [rule("widgets")] };
    await mutatedBy({ hook: patchWith(add("/metadata/labels", { a: "not valid!" })) }, async () => {
      expectStatus(await create("i18"), 422, { reason: "Invalid" });
    });
    await mutatedBy({ hook: patchWith(add("/spec/size", "XXL")), settings }, async () => {
      expectStatus(await api.post(widgets(namespace), widget("i18")), 422, {
        someCauses: ["FieldValueNotSupported spec.size"],
      });
    });
    await mutatedBy({ hook: patchWith(add("/spec/unknown", 1), add("/spec/size", "L")), settings }, async () => {
      const answer = await api.post(widgets(namespace), widget("i19"));
      expectCode(answer, 201);
      expect([answer.body.spec.size, answer.body.spec.unknown]).toEqual(["L", undefined]);
    });
  });

  it("I20 sends subresources to rules that name them", async () => {
    const { api, namespace } = suite();
    expectCode(await api.post(deployments(namespace), deployment("i20")), 201);
    const path = `${deployments(namespace)}/i20`;
    const settings = { rules: [rule("deployments/status"), rule("deployments/scale")] };
    await mutatedBy({ hook: allow, settings }, async () => {
      expectCode(await api.mergePatch(path, { spec: { paused: true } }), 200);
      expectCode(await api.mergePatch(`${path}/status`, { status: { replicas: 1 } }), 200);
      expectCode(await api.mergePatch(`${path}/scale`, { spec: { replicas: 3 } }), 200);
      // A patch that meets a write of a controller is tried, and asked about, again.
      const about = new Map(asked().map((request) => [request.subResource, request]));
      expect([...about.keys()]).toEqual(["status", "scale"]);
      expect(about.get("status")).toMatchObject({ requestSubResource: "status", kind: { kind: "Deployment" } });
      expect(about.get("scale")).toMatchObject({
        kind: { group: "autoscaling", version: "v1", kind: "Scale" },
        object: { kind: "Scale", spec: { replicas: 3 } },
        oldObject: { kind: "Scale", spec: { replicas: 1 } },
      });
    });
    await mutatedBy({ hook: patchWith({ op: "replace", path: "/spec/replicas", value: 5 }), settings }, async () => {
      expect((await api.mergePatch(`${path}/scale`, { spec: { replicas: 4 } })).body.spec.replicas).toBe(5);
    });
  });

  it("I21 matchPolicy says whether other versions count", async () => {
    const { api, namespace } = suite();
    const rules = [rule("widgets", { apiVersions: ["v1"] })];
    const hook = patchWith(add("/spec/size", "S"));
    await mutatedBy({ hook, settings: { rules, matchPolicy: "Exact" } }, async () => {
      expectCode(await api.post(widgets(namespace, "v1beta1"), beta("i21-exact")), 201);
      expect(server.calls).toEqual([]);
    });
    await mutatedBy({ hook, settings: { rules } }, async () => {
      const answer = await api.post(widgets(namespace, "v1beta1"), beta("i21"));
      expectCode(answer, 201);
      expect(answer.body).toMatchObject({ apiVersion: "conf.capstan.test/v1beta1", spec: { size: "S" } });
      expect(asked()).toMatchObject([
        {
          kind: { version: "v1" },
          requestKind: { version: "v1beta1" },
          object: { apiVersion: "conf.capstan.test/v1" },
        },
      ]);
    });
  });
};
