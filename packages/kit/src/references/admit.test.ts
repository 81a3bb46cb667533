import { Annotation } from "@capstan/contract";
import {
  inTemplate,
  kind,
  type KubeObject,
  object,
  optional,
  readsSecret,
  secretReference,
  string,
} from "@capstan/schema";
import { recentClock } from "@capstan/testing";
import { expect, it } from "vitest";
import { admitReferences, type ReferenceAdmission, type RequestUser } from "./admit.ts";
import { admittedReferencesAnnotation, hasReferenceMark } from "./mark.ts";
import { anyReference, markedReferences, referencePolicy, requireAdmitted } from "./policy.ts";

const group = "infrastructure.cluster.x-k8s.io";
const facts = { group, version: "v1", description: "A thing." } as const;
const references = [
  readsSecret("spec.secretRef"),
  readsSecret("spec.file.secretRef"),
  { ...readsSecret("spec.sent.secretRef"), boundTo: "spec.sent" },
];
const secretRef = () => optional(secretReference({ description: "A Secret." }));
const spec = () =>
  object({
    secretRef: secretRef(),
    file: optional(object({ secretRef: secretRef() }, { description: "A file." })),
    sent: optional(
      object(
        { secretRef: secretRef(), host: optional(string({ description: "Where to." })) },
        { description: "What is sent." },
      ),
    ),
  });
const Thing = kind({ ...facts, kind: "Thing", plural: "things", references, spec: spec() });
const ThingTemplate = kind({
  ...facts,
  kind: "ThingTemplate",
  plural: "thingtemplates",
  references: inTemplate(references),
  spec: object({ template: object({ spec: spec() }, { description: "The template." }) }),
});

const key = new Uint8Array(32).fill(7);
const tenant: RequestUser = { username: "tenant", groups: ["team-a"] };
const account: RequestUser = { username: "system:serviceaccount:capi-system:manager", groups: [] };
const administrator: RequestUser = { username: "admin", groups: ["system:masters"] };

const thing = (ref: object | undefined, annotations: Readonly<Record<string, string>> = {}): KubeObject => ({
  apiVersion: `${group}/v1`,
  kind: "Thing",
  metadata: { namespace: "team-a", name: "mine", annotations },
  ...({ spec: ref === undefined ? {} : { secretRef: ref } } as object),
});
const theirs = { name: "s", namespace: "team-b" };

/** An API server that lets these users read, and keeps these templates; what it was asked is in `asked`. */
const server = (may: readonly RequestUser[], templates: Readonly<Record<string, KubeObject>> = {}) => {
  const asked: string[] = [];
  const admission: ReferenceAdmission = {
    key: async () => key,
    may: async (user, verb, { group: of, resource, namespace, name }) => {
      asked.push(`${user.username} ${verb} ${resource}.${of} ${namespace}/${name}`);
      return may.includes(user);
    },
    template: async ({ kind: name }, { name: of }) => {
      const found = name === "ThingTemplate" ? templates[of] : undefined;
      return found && { kind: ThingTemplate, object: found };
    },
  };
  const write = (sent: KubeObject, user: RequestUser, old?: KubeObject) =>
    admitReferences(Thing, { object: sent, old, user }, admission);
  return { asked, admission, write };
};

const markOf = (outcome: Awaited<ReturnType<typeof admitReferences>>): boolean =>
  "object" in outcome && hasReferenceMark(key, Thing, outcome.object);

const stored = async (ref: object = theirs): Promise<KubeObject> => {
  const outcome = await server([tenant]).write(thing(ref), tenant);
  if ("denied" in outcome) throw new Error(outcome.denied);
  return outcome.object;
};

it.each([
  ["none", undefined],
  ["one of its own namespace", { name: "s", namespace: "team-a" }],
  ["one without a namespace", { name: "s" }],
  ["an empty namespace", { name: "s", namespace: "" }],
])("asks nothing about an object with %s, and takes a forged mark away", async (_, ref) => {
  const { asked, write } = server([]);
  const outcome = await write(thing(ref, { [admittedReferencesAnnotation]: "v1.forged", other: "stays" }), tenant);
  expect(outcome).toMatchObject({ object: { metadata: { annotations: { other: "stays" } } } });
  expect(markOf(outcome)).toBe(false);
  expect(asked).toEqual([]);
});

it("asks for the user of the request, and says the same whatever exists", async () => {
  const { asked, write } = server([]);
  expect(await write(thing(theirs), tenant)).toEqual({
    denied:
      'spec.secretRef references namespace "team-b", where User "tenant" may not get secrets; ask for that permission, or use the object\'s own namespace',
  });
  expect(asked).toEqual(["tenant get secrets. team-b/s"]);
});

it("believes its own mark for what it was set for: no other object, reference or name", async () => {
  const marked = await stored();
  const { asked, write } = server([]);
  expect(markOf(await write(marked, tenant, marked))).toBe(true);
  expect(asked).toEqual([]);
  const annotations = marked.metadata.annotations ?? {};
  expect(await write(thing(theirs, annotations), tenant), "a copy of the mark").toHaveProperty("denied");
  const changed = thing({ name: "other", namespace: "team-b" }, annotations);
  expect(await write(changed, tenant, marked)).toHaveProperty("denied");
  const renamed = { ...marked, metadata: { ...marked.metadata, name: "another" } };
  expect(hasReferenceMark(key, Thing, renamed)).toBe(false);
});

it("knows an object that got its name after it was marked", async () => {
  const { name: _, ...metadata } = thing(theirs).metadata;
  const unnamed = { ...thing(theirs), metadata: { ...metadata, generateName: "mine-" } };
  const outcome = await server([tenant]).write(unnamed, tenant);
  if ("denied" in outcome) throw new Error(outcome.denied);
  const { object: marked } = outcome;
  const named = (name: string) => ({ ...marked, metadata: { ...marked.metadata, name } });
  expect(hasReferenceMark(key, Thing, named("mine-x1"))).toBe(true);
  expect(hasReferenceMark(key, Thing, named("yours"))).toBe(false);
});

it("gives no mark to what was stored without one, whoever changes something else, until it is asked for", async () => {
  const old = thing(theirs);
  const touched = thing(theirs, { note: "x" });
  const { asked, write } = server([administrator, account]);
  for (const user of [administrator, account]) {
    const outcome = await write(touched, user, old);
    expect(markOf(outcome)).toBe(false);
    expect(outcome).toMatchObject({ warnings: [expect.stringContaining("kubectl -n team-a annotate things.")] });
  }
  expect(asked).toEqual([]);
  const ask = thing(theirs, { [admittedReferencesAnnotation]: "ask" });
  expect(await write(ask, tenant, old)).toHaveProperty("denied");
  expect(markOf(await write(ask, administrator, old))).toBe(true);
});

it("lets a clone have what its template was admitted with, and gives a controller's own rights to none", async () => {
  const template = (ref: object): KubeObject => ({
    apiVersion: `${group}/v1`,
    kind: "ThingTemplate",
    metadata: { namespace: "team-a", name: "t" },
    ...({ spec: { template: { spec: { secretRef: ref } } } } as object),
  });
  const seen = await admitReferences(
    ThingTemplate,
    { object: template(theirs), user: tenant },
    server([tenant]).admission,
  );
  if ("denied" in seen) throw new Error(seen.denied);
  const cloned = (ref: object, from: string) =>
    thing(ref, { [Annotation.clonedFromName]: from, [Annotation.clonedFromGroupKind]: `ThingTemplate.${group}` });
  const templates = { seen: seen.object, unseen: template(theirs) };
  for (const user of [account, administrator]) {
    const { asked, write } = server([account, administrator], templates);
    expect(markOf(await write(cloned(theirs, "seen"), user))).toBe(true);
    expect(markOf(await write(cloned(theirs, "unseen"), user))).toBe(false);
    expect(markOf(await write(cloned(theirs, "gone"), user))).toBe(false);
    expect(markOf(await write(cloned({ name: "other", namespace: "team-b" }, "seen"), user))).toBe(false);
    const asks = { ...cloned(theirs, "unseen") };
    const asking = { ...asks.metadata.annotations, [admittedReferencesAnnotation]: "ask" };
    const propagated = { ...asks, metadata: { ...asks.metadata, annotations: asking } };
    expect(markOf(await write(propagated, user, asks)), "labels and annotations of templates are anybody's").toBe(
      false,
    );
    expect(asked).toEqual([]);
  }
  expect(await server([]).write(cloned(theirs, "unseen"), tenant)).toHaveProperty("denied");
});

const spelled = (parts: object): KubeObject => ({ ...thing(undefined), ...({ spec: parts } as object) });

const admitted = async (object: KubeObject): Promise<KubeObject> => {
  const outcome = await server([tenant]).write(object, tenant);
  if ("denied" in outcome) throw new Error(outcome.denied);
  return outcome.object;
};

it("asks again when a Secret is to be used in another field", async () => {
  const old = await admitted(thing(theirs));
  const moved = { ...old, ...({ spec: { file: { secretRef: theirs } } } as object) };
  expect(await server([]).write(moved, tenant, old)).toHaveProperty("denied");
  expect(markOf(await server([tenant]).write(moved, tenant, old))).toBe(true);
});

it("asks again when what says where a Secret is sent is changed, and no mark is valid for another place", async () => {
  const old = await admitted(spelled({ sent: { secretRef: theirs, host: "here" } }));
  const to = (sent: object) => ({ ...old, ...({ spec: { sent } } as object) });
  const elsewhere = to({ secretRef: theirs, host: "there" });
  expect(hasReferenceMark(key, Thing, to({ host: "here", secretRef: theirs })), "in another order").toBe(true);
  expect(hasReferenceMark(key, Thing, elsewhere)).toBe(false);
  expect(await server([]).write(elsewhere, tenant, old)).toHaveProperty("denied");
  expect(markOf(await server([tenant]).write(elsewhere, tenant, old))).toBe(true);
});

it("gives a clone nothing of what is no template of its kind", async () => {
  const of = (kindName: string, from: string) => ({
    [Annotation.clonedFromName]: from,
    [Annotation.clonedFromGroupKind]: `${kindName}.${group}`,
  });
  const other = await admitted(thing(theirs));
  const admission = { ...server([]).admission, template: async () => ({ kind: Thing, object: other }) };
  for (const from of ["Thing", "OtherTemplate"]) {
    const clone = thing(theirs, of(from, "mine"));
    expect(await admitReferences(Thing, { object: clone, user: tenant }, admission)).toHaveProperty("denied");
    expect(markOf(await admitReferences(Thing, { object: clone, user: administrator }, admission))).toBe(false);
  }
});

it("has controllers follow marked references only, unless the application says otherwise", async () => {
  const clock = recentClock();
  const marked = await stored();
  const environment = (policy: typeof anyReference | undefined) => ({
    findService: (({ name }: { name: string }) => (name === referencePolicy.name ? policy : undefined)) as never,
  });
  const refused = { code: "references.not_admitted", reason: "ReferenceNotAdmitted" };
  let known: Uint8Array | undefined;
  const policy = markedReferences(async () => known, clock);
  await expect(requireAdmitted(environment(undefined), Thing, marked)).rejects.toMatchObject(refused);
  await expect(requireAdmitted(environment(policy), Thing, marked)).rejects.toMatchObject(refused);
  known = key;
  await requireAdmitted(environment(policy), Thing, marked);
  await expect(requireAdmitted(environment(policy), Thing, thing(theirs))).rejects.toMatchObject(refused);
  await requireAdmitted(environment(anyReference), Thing, thing(theirs));
  await requireAdmitted(environment(undefined), Thing, thing({ name: "s" }));
});
