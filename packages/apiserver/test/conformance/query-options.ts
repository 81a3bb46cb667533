import { beforeAll, expect, it } from "vitest";
import type { Answer, CallOptions } from "./api.ts";
import { expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps, widget, widgets } from "./objects.ts";
import type { Section, Suite } from "./suite.ts";

/** Every option that some verb knows, and one that none does, with values that are right and wrong. */
const values: Readonly<Record<string, readonly string[]>> = {
  dryRun: ["", "All", "all"],
  fieldManager: ["", "a b", "a\u0001", "x".repeat(129)],
  fieldValidation: ["", "Strict", "strict"],
  force: ["", "false"],
  limit: ["", "0", "-1", "1", "+1", "1.5", "9223372036854775807", "9223372036854775808"],
  continue: ["", "garbage"],
  resourceVersion: ["", "0", "abc", "-1", "99999999999"],
  resourceVersionMatch: ["", "Exact", "NotOlderThan", "Foo"],
  labelSelector: ["", "a b"],
  fieldSelector: ["", "spec.nope=1", "bad"],
  timeoutSeconds: ["", "x", "-1", "0"],
  timeout: ["", "x", "5", "-1s", "10s", "1000h"],
  watch: ["0", "False"],
  allowWatchBookmarks: ["", "x"],
  sendInitialEvents: ["", "false"],
  gracePeriodSeconds: ["", "x", "-1", "0", "1.5"],
  propagationPolicy: ["", "Foo", "Orphan"],
  orphanDependents: ["", "false"],
  uid: ["", "other"],
  includeObject: ["None", "Foo"],
  export: ["", "true", "False"],
  pretty: ["x"],
  nope: ["1"],
};

/** `OPTION=VALUE` to the answer that is not a success: its code, and the causes. */
type Refusals = Readonly<Record<string, string>>;

const unsupported = (option: string) => `422 FieldValueNotSupported ${option}`;

const everywhere: Refusals = { "timeout=x": "400", "timeout=5": "400" };

const gets: Refusals = {
  ...everywhere,
  "resourceVersion=abc": "500",
  "resourceVersion=-1": "500",
  "resourceVersion=99999999999": "504 ResourceVersionTooLarge",
  "export=": "400",
  "export=true": "400",
};

const writes: Refusals = {
  ...everywhere,
  "dryRun=": unsupported("dryRun"),
  "dryRun=all": unsupported("dryRun"),
  "fieldManager=a\u0001": "422 FieldValueInvalid fieldManager",
  [`fieldManager=${"x".repeat(129)}`]: "422 FieldValueTooLong fieldManager",
  "fieldValidation=strict": unsupported("fieldValidation"),
};

const patches: Refusals = {
  ...writes,
  "force=": "422 FieldValueForbidden force",
  "force=false": "422 FieldValueForbidden force",
};

const deletions: Refusals = {
  ...everywhere,
  "dryRun=": unsupported("dryRun"),
  "dryRun=all": unsupported("dryRun"),
  "gracePeriodSeconds=": "400",
  "gracePeriodSeconds=x": "400",
  "gracePeriodSeconds=1.5": "400",
  "propagationPolicy=": unsupported("propagationPolicy"),
  "propagationPolicy=Foo": unsupported("propagationPolicy"),
  "uid=other": "409",
};

const unmatched = "FieldValueForbidden resourceVersionMatch";

const lists: Refusals = {
  ...everywhere,
  "limit=": "400",
  "limit=1.5": "400",
  "limit=9223372036854775808": "400",
  "continue=garbage": "400",
  "resourceVersion=abc": "400",
  "resourceVersion=-1": "400",
  "resourceVersion=99999999999": "504 ResourceVersionTooLarge",
  "resourceVersionMatch=Exact": `422 ${unmatched}`,
  "resourceVersionMatch=NotOlderThan": `422 ${unmatched}`,
  "resourceVersionMatch=Foo": `422 ${unmatched},FieldValueNotSupported resourceVersionMatch`,
  "labelSelector=a b": "400",
  "fieldSelector=spec.nope=1": "400",
  "fieldSelector=bad": "400",
  "timeoutSeconds=": "400",
  "timeoutSeconds=x": "400",
  "sendInitialEvents=": "422 FieldValueForbidden sendInitialEvents",
  "sendInitialEvents=false": "422 FieldValueForbidden sendInitialEvents",
};

const unsupportedMatch = "FieldValueNotSupported resourceVersionMatch";

const watches: Refusals = {
  "continue=garbage": `422 ${unmatched}`,
  "limit=": "400",
  "limit=1.5": "400",
  "limit=9223372036854775808": "400",
  "resourceVersion=abc": "500",
  "resourceVersion=-1": "500",
  "resourceVersionMatch=Exact": `422 ${unmatched},${unsupportedMatch}`,
  "resourceVersionMatch=NotOlderThan": `422 ${unmatched}`,
  "resourceVersionMatch=Foo": `422 ${unmatched},${unsupportedMatch}`,
  "labelSelector=a b": "400",
  "fieldSelector=spec.nope=1": "400",
  "fieldSelector=bad": "400",
  "timeoutSeconds=": "400",
  "timeoutSeconds=x": "400",
  "sendInitialEvents=": `422 ${unmatched}`,
  "sendInitialEvents=false": `422 ${unmatched}`,
};

/** Watches without an end. */
const endless: ReadonlySet<string> = new Set(["timeoutSeconds=-1", "timeoutSeconds=0", "watch=0", "watch=False"]);

interface Verb {
  readonly send: (suite: Suite, options: CallOptions) => Promise<Answer>;
  readonly refusals: Refusals;
  readonly skips?: ReadonlySet<string>;
}

const one = ({ namespace }: Suite) => `${widgets(namespace)}/option-a`;
const dry = (options: CallOptions): CallOptions => ({ ...options, query: { dryRun: "All", ...options.query } });

const verbs: Readonly<Record<string, Verb>> = {
  list: { send: ({ api, namespace }, options) => api.get(widgets(namespace), options), refusals: lists },
  "list of a built-in kind": {
    send: ({ api, namespace }, options) => api.get(configMaps(namespace), options),
    refusals: lists,
  },
  watch: {
    send: ({ api, namespace }, { query }) =>
      api.get(widgets(namespace), { query: { watch: true, timeoutSeconds: 1, ...query } }),
    refusals: watches,
    skips: endless,
  },
  get: { send: (suite, options) => suite.api.get(one(suite), options), refusals: gets },
  "get of the status": { send: (suite, options) => suite.api.get(`${one(suite)}/status`, options), refusals: gets },
  "get of the scale": { send: (suite, options) => suite.api.get(`${one(suite)}/scale`, options), refusals: gets },
  create: {
    send: ({ api, namespace }, options) => api.post(widgets(namespace), widget({ generateName: "x" }), dry(options)),
    refusals: writes,
  },
  update: {
    send: ({ api, namespace }, options) => api.put(`${configMaps(namespace)}/option-a`, configMap("option-a"), options),
    refusals: writes,
  },
  patch: { send: (suite, options) => suite.api.mergePatch(one(suite), {}, options), refusals: patches },
  "patch of the scale": {
    send: (suite, options) => suite.api.mergePatch(`${one(suite)}/scale`, {}, options),
    refusals: patches,
  },
  apply: {
    send: ({ api, namespace }, options) =>
      api.apply(
        `${configMaps(namespace)}/option-a`,
        options.query?.["fieldManager"] === undefined ? "m" : undefined,
        configMap("option-a"),
        options,
      ),
    refusals: { ...writes, "fieldManager=": "422 FieldValueRequired fieldManager" },
  },
  delete: {
    send: (suite, options) => suite.api.delete(one(suite), dry(options)),
    refusals: {
      ...deletions,
      "resourceVersion=0": "409",
      "resourceVersion=abc": "409",
      "resourceVersion=-1": "409",
      "resourceVersion=99999999999": "409",
    },
  },
  "delete of a collection": {
    send: ({ api, namespace }, options) => api.delete(widgets(namespace), dry(options)),
    refusals: { ...deletions, ...lists, "resourceVersion=0": "409" },
  },
};

const summary = ({ code, body }: Answer): string => {
  if (code < 400) return "";
  const causes = ((body?.details?.causes ?? []) as { reason: string; field?: string }[]).map(({ reason, field }) =>
    `${reason} ${field ?? ""}`.trim(),
  );
  return `${code} ${[...new Set(causes)].toSorted().join(",")}`.trim();
};

/** Every option of every verb is taken or refused; what a verb does not know is ignored. */
export const queryOptions: Section = (suite) => {
  const namesOf = (answer: Answer): readonly string[] =>
    answer.body.items.map((item: { metadata: { name: string } }) => item.metadata.name);

  beforeAll(async () => {
    const { api, namespace } = suite();
    expectCode(await api.post(widgets(namespace), widget("option-a")), 201);
    expectCode(await api.post(configMaps(namespace), configMap("option-a")), 201);
  });

  it.each(Object.entries(verbs))("are taken or refused by %s", async (_verb, { send, refusals, skips }) => {
    const all = Object.entries(values)
      .flatMap(([option, each]) => each.map((value) => [option, value] as const))
      .filter(([option, value]) => skips?.has(`${option}=${value}`) !== true);
    const answers = await Promise.all(
      all.map(async ([option, value]) => {
        const answer = await send(suite(), { query: { [option]: value } });
        return [`${option}=${value}`, summary(answer)] as const;
      }),
    );
    expect(Object.fromEntries(answers.filter(([, refused]) => refused !== ""))).toEqual(refusals);
  });

  it.each<[string, object, string]>([
    ["gracePeriodSeconds", { gracePeriodSeconds: "0" }, "400"],
    ["orphanDependents", { orphanDependents: "true" }, "400"],
    ["propagationPolicy", { propagationPolicy: 1 }, "400"],
    ["dryRun", { dryRun: "All" }, "400"],
    ["preconditions", { preconditions: "x" }, "400"],
    ["a precondition", { preconditions: { uid: 1 } }, "400"],
    ["an empty dryRun", { dryRun: [""] }, unsupported("dryRun")],
    ["preconditions that hold nothing", { preconditions: {}, dryRun: ["All"] }, ""],
    ["what is null", { gracePeriodSeconds: null, propagationPolicy: null, dryRun: ["All"] }, ""],
    ["what is unknown", { nope: 1, dryRun: ["All"] }, ""],
  ])("in the body of a deletion: %s", async (_what, body, expected) => {
    const { api } = suite();
    expect(summary(await api.delete(one(suite()), { body }))).toBe(expected);
    expectCode(await api.get(one(suite())), 200);
  });

  it("a collection is deleted by pages", async () => {
    const { api, namespace } = suite();
    const labels = { page: "yes" };
    for (const name of ["p1", "p2", "p3", "p4", "p5"]) {
      const finalizers = name === "p1" ? ["conf.capstan.test/a"] : [];
      await api.post(widgets(namespace), widget({ name, labels, finalizers }));
    }
    const first = await api.delete(widgets(namespace), {
      query: { limit: 2, fieldSelector: "metadata.name!=option-a" },
    });
    expect(namesOf(first)).toEqual(["p1", "p2"]);
    expect(first.body.kind).toBe("WidgetList");
    expect(first.body.metadata.continue).not.toBe("");
    expect(first.body.items[0].metadata.deletionTimestamp).toBeUndefined();
    expect(namesOf(await api.get(widgets(namespace), { query: { labelSelector: "page" } }))).toEqual([
      "p1",
      "p3",
      "p4",
      "p5",
    ]);
    const query = { limit: 2, continue: first.body.metadata.continue, fieldSelector: "metadata.name!=option-a" };
    const second = await api.delete(widgets(namespace), { query });
    expect(namesOf(second)).toEqual(["p3", "p4"]);
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
    const rest = await api.delete(widgets(namespace), { query: { ...query, continue: second.body.metadata.continue } });
    expect(namesOf(rest)).toEqual(["p5"]);
    expect(rest.body.metadata.continue).toBe("");
    expect(namesOf(await api.get(widgets(namespace), { query: { labelSelector: "page" } }))).toEqual(["p1"]);
    await api.mergePatch(`${widgets(namespace)}/p1`, { metadata: { finalizers: null } });
  });

  it("a page that is deleted says how many remain", async () => {
    const { api, namespace } = suite();
    for (const name of ["r1", "r2", "r3"]) await api.post(configMaps(namespace), configMap(name));
    const { body } = await api.delete(configMaps(namespace), { query: { limit: 1, dryRun: "All" } });
    const { items } = (await api.get(configMaps(namespace))).body;
    expect(body.metadata.remainingItemCount).toBe(items.length - 1);
    for (const name of ["r1", "r2", "r3"]) await api.delete(`${configMaps(namespace)}/${name}`);
  });

  it("preconditions in the query hold for a deletion", async () => {
    const { api, namespace } = suite();
    const { body } = await api.post(configMaps(namespace), configMap("conditional"));
    const { uid, resourceVersion } = body.metadata;
    const path = `${configMaps(namespace)}/conditional`;
    expectStatus(await api.delete(path, { query: { uid, resourceVersion: "1" } }), 409, { reason: "Conflict" });
    expectCode(await api.delete(path, { query: { uid, resourceVersion } }), 200);
  });

  it("orphanDependents=false is accepted, not done, while something holds the object", async () => {
    const { api, namespace } = suite();
    const path = `${configMaps(namespace)}/held`;
    await api.post(configMaps(namespace), configMap({ name: "held", finalizers: ["conf.capstan.test/a"] }));
    expectCode(await api.delete(path, { query: { orphanDependents: false } }), 202);
    expectCode(await api.delete(path), 200);
    await api.mergePatch(path, { metadata: { finalizers: null } });
  });
};
