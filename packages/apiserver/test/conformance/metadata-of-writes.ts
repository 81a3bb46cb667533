import { expect, it } from "vitest";
import type { Answer } from "./api.ts";
import { expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps, widget, widgets } from "./objects.ts";
import type { Section, Suite } from "./suite.ts";

type Way = "put" | "merge" | "json" | "strategic" | "apply";
const updates = ["put", "merge", "json"] as const;

const kinds = {
  ConfigMap: { collection: configMaps, object: (metadata: object) => configMap(metadata, { a: "1" }) },
  Widget: { collection: widgets, object: (metadata: object) => widget(metadata, { size: "S" }) },
};

/** Writes one member of the metadata of an object that `gitops` has applied. */
const write = async (
  { api, namespace }: Suite,
  kind: keyof typeof kinds,
  way: Way | "create",
  member: object,
): Promise<{ readonly before: Answer; readonly after: Answer }> => {
  const { collection, object } = kinds[kind];
  const path = collection(namespace);
  const [field = ""] = Object.keys(member);
  const name = `meta-${kind.toLowerCase()}-${way}-${field.toLowerCase()}`;
  const item = `${path}/${name}`;
  const query = { fieldManager: "tool" };
  if (way === "create") {
    const after = await api.post(path, object({ name, ...member }), { query });
    await api.delete(item);
    return { before: after, after };
  }
  const before = await api.apply(item, "gitops", object({ name, labels: { l: "1" } }));
  expectCode(before, 201);
  const { resourceVersion } = before.body.metadata;
  const writes: Record<Way, () => Promise<Answer>> = {
    put: () => api.put(item, object({ name, labels: { l: "1" }, resourceVersion, ...member }), { query }),
    merge: () => api.mergePatch(item, { metadata: member }, { query }),
    json: () =>
      api.jsonPatch(item, [{ op: "add", path: `/metadata/${field}`, value: Object.values(member)[0] as unknown }], {
        query,
      }),
    strategic: () => api.strategicPatch(item, { metadata: member }, { query }),
    apply: () => api.apply(item, "gitops", object({ name, labels: { l: "1" }, ...member })),
  };
  const after = await writes[way]();
  await api.delete(item);
  return { before, after };
};

const ownersOf = ({ body }: Answer): readonly string[] =>
  ((body.metadata.managedFields ?? []) as { manager: string; operation: string }[]).map(
    ({ manager, operation }) => `${operation} ${manager}`,
  );

/** An applier owns what it names, if only as empty. */
const withoutOwners = ({ body }: Answer): unknown => {
  const { managedFields: _managedFields, resourceVersion: _resourceVersion, ...metadata } = body.metadata;
  return { ...body, metadata };
};

const owner = { apiVersion: "v1", kind: "X", name: "n", uid: "1" };

/** What clients send in metadata that is the server's, or send empty. */
export const metadataOfWrites: Section = (suite) => {
  it.each([
    { uid: "" },
    { uid: null },
    { creationTimestamp: null },
    { creationTimestamp: "2001-01-01T00:00:00Z" },
    { generation: 0 },
    { generation: 99 },
    { generation: -1 },
    { selfLink: "/x" },
    { selfLink: "" },
    { resourceVersion: "" },
    { resourceVersion: null },
    { deletionTimestamp: null },
    { deletionGracePeriodSeconds: null },
    { generateName: "" },
    { namespace: "" },
    { managedFields: null },
    { managedFields: [{}, {}] },
    { managedFields: [{ manager: "x" }] },
    { annotations: {} },
    { finalizers: [] },
    { ownerReferences: [] },
  ])("leaves the object as it is for %j", async (member) => {
    const [field = ""] = Object.keys(member);
    for (const kind of ["ConfigMap", "Widget"] as const) {
      for (const way of [...updates, "apply"] as const) {
        const isRefused =
          (way === "apply" && field === "managedFields" && Object.values(member)[0] !== null) ||
          (kind === "Widget" && field === "resourceVersion");
        if (isRefused) continue;
        const { before, after } = await write(suite(), kind, way, member);
        expect(after.code, `${kind} ${way} ${after.text}`).toBe(200);
        expect(way === "apply" ? withoutOwners(after) : after.body, `${kind} ${way}`).toEqual(
          way === "apply" ? withoutOwners(before) : before.body,
        );
      }
    }
  });

  it.each([[[{}]]])("forgets owners for %j", async (managedFields) => {
    for (const way of updates) {
      expect(ownersOf((await write(suite(), "ConfigMap", way, { managedFields })).after), way).toEqual([]);
    }
  });

  it("keeps a generation that nobody counts, unless it is less than nothing", async () => {
    const { after } = await write(suite(), "ConfigMap", "create", { generation: 99 });
    expect(after.body.metadata.generation).toBe(99);
    const zero = await write(suite(), "ConfigMap", "create", { generation: 0 });
    expect(zero.after.body.metadata).not.toHaveProperty("generation");
    const negative = await write(suite(), "ConfigMap", "create", { generation: -1 });
    expectStatus(negative.after, 422, { causes: ["FieldValueInvalid metadata.generation"] });
  });

  it.each([{ deletionTimestamp: "2001-01-01T00:00:00Z" }, { deletionGracePeriodSeconds: 5 }])(
    "deletes nothing by %j",
    async (member) => {
      for (const kind of ["ConfigMap", "Widget"] as const) {
        for (const way of updates) {
          const { after } = await write(suite(), kind, way, member);
          expectStatus(after, 422, { causes: [`FieldValueInvalid metadata.${Object.keys(member)[0]}`] });
        }
      }
    },
  );

  it.each([{ resourceVersion: "" }, { resourceVersion: null }])(
    "does not change a custom resource of an unknown version for %j",
    async (member) => {
      for (const way of updates) {
        const { after } = await write(suite(), "Widget", way, member);
        expectStatus(after, 422, { causes: ["FieldValueInvalid metadata.resourceVersion"] });
      }
    },
  );

  it("cannot decode a time that is none", async () => {
    for (const [way, code] of [
      ["create", 400],
      ["put", 400],
      ["apply", 500],
    ] as const) {
      expectCode((await write(suite(), "ConfigMap", way, { creationTimestamp: "x" })).after, code);
    }
  });

  it("keeps an owner that is there twice once, and warns", async () => {
    const ownerReferences = [
      { ...owner, controller: true },
      owner,
      { ...owner, uid: "2" },
      { ...owner, uid: "2" },
      owner,
    ];
    for (const way of ["create", ...updates, "strategic"] as const) {
      const { after } = await write(suite(), "ConfigMap", way, { ownerReferences });
      expect(after.body.metadata.ownerReferences, way).toEqual(ownerReferences.slice(0, 3));
      expect(after.warnings).toHaveLength(1);
      expect(after.warnings[0]).toMatch(
        /^\.metadata\.ownerReferences contains duplicate entries.*duplicate UID\(s\) observed: 2, 1$/,
      );
      expect(after.warnings[0]?.includes("after mutating admission happens")).toBe(way !== "create" && way !== "put");
    }
    const { after } = await write(suite(), "Widget", "put", { ownerReferences: [owner, owner] });
    expect(after.body.metadata.ownerReferences).toEqual([owner]);
    const applied = await write(suite(), "ConfigMap", "apply", { ownerReferences: [owner, owner] });
    expectCode(applied.after, 500);
  });

  it("keeps owners of one uid that differ", async () => {
    const ownerReferences = [owner, { ...owner, name: "m" }];
    const { after } = await write(suite(), "ConfigMap", "create", { ownerReferences });
    expect(after.body.metadata.ownerReferences).toEqual(ownerReferences);
    expect(after.warnings).toEqual([]);
  });
};
