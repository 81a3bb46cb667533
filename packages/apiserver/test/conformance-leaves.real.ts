import { jsonText, parseJson } from "@capstan/schema/structural";
import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtinDefinitions } from "../src/builtin/definitions.ts";
import { type Answer, type Api, createApi } from "./conformance/api.ts";
import { startTarget, users } from "./embedded-server.ts";
import { bases } from "./leaves/bases.ts";
import { type Leaf, type LeafType, leavesOf, placeholder } from "./leaves/leaves.ts";

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";

/** What is sent to a place of each type. Integers that wrap in Kubernetes are left out: they are refused here. */
const sent: Readonly<Record<LeafType, readonly string[]>> = {
  text: ['"x"', "5", "true", "{}"],
  bytes: ['"aGVsbG8="', '"aGVs\\nbG8=\\n"', '"no base64!"', '"aGVsbG8"', "5"],
  time: ['"2024-03-04T05:06:07.5+02:00"', '"x"', '""', "5"],
  microTime: ['"2024-03-04T05:06:07.000001+02:00"', '"2024-03-04T05:06:07Z"', '"x"', "5"],
  quantity: ['"1024Ki"', "1.5", '"1x"', '""', "true"],
  intOrString: ["7", '"25%"', "7.0", "1.5", "5000000000", "true"],
  int32: ["7", "7.0", "1.5", '"7"', "true"],
  int64: ["7", "7.0", "1.5", '"7"', "{}"],
  number: ["1.5", '"x"', "{}"],
  flag: ["true", '"true"', "1"],
  list: ['"x"', "{}", "5"],
  object: ['"x"', "[]", "5"],
  anything: ["{}"],
};

const collectionOf = ({ definition: { group, namespaced, plural, version } }: Leaf): string =>
  `${group === "" ? "/api" : `/apis/${group}`}/${version}${namespaced ? "/namespaces/default" : ""}/${plural}`;

const nameOf = ({ definition }: Leaf): string =>
  definition.plural === "customresourcedefinitions" ? "leaves.leaf.capstan.test" : "leaf";

/** What a server makes of a value: it cannot decode it, or it would store it so, or what else is in the object keeps it from that. */
interface Outcome {
  readonly decoded: boolean;
  readonly code: number;
  readonly stored?: string;
}

const outcomeOf = ({ body, code, text }: Answer, leaf: Leaf): Outcome => {
  if (code < 300) {
    const value = valueAt(parseJson(text), leaf.skeleton);
    return { decoded: true, code, ...(value === undefined || value === null ? {} : { stored: storedText(value) }) };
  }
  const causes = (body?.details?.causes ?? []) as readonly { readonly field?: string }[];
  const isRefused = code === 400 || code === 500 || causes.some(({ field }) => field === "patch");
  return { decoded: !isRefused, code };
};

const started = Date.now();

/** A value as text. Times that a server sets itself are all alike: two servers set them in different seconds. */
const storedText = (value: unknown): string =>
  typeof value === "string" && Date.parse(value) >= started - 60_000 ? "a time of the server" : jsonText(value);

/** A kube-apiserver panics for a key of a merged list that is an object, and ends the stream. */
const closed = (error: unknown): Outcome => {
  if ((error as NodeJS.ErrnoException).code !== "ERR_HTTP2_STREAM_ERROR") throw error;
  return { decoded: false, code: 500 };
};

/** The value where the placeholder stands in the skeleton; `undefined` for what is in a list, whose order is another one after a patch. */
const valueAt = (value: unknown, skeleton: unknown): unknown => {
  if (skeleton === placeholder) return value;
  if (Array.isArray(skeleton)) return undefined;
  const [name, rest] = Object.entries(skeleton as object).find(([, part]) => jsonText(part).includes(placeholder)) ?? [
    "",
  ];
  return valueAt((value as Readonly<Record<string, unknown>> | undefined)?.[name], rest);
};

/** One value by every way of writing; `bases` exist for the kinds that have one. */
const outcomes = async (api: Api, leaf: Leaf, value: string): Promise<Readonly<Record<string, Outcome>>> => {
  const { definition } = leaf;
  const { group, kind, plural, version } = definition;
  const collection = collectionOf(leaf);
  const name = nameOf(leaf);
  const of = (metadata: object | undefined, more: object = {}): string =>
    JSON.stringify({
      apiVersion: group === "" ? version : `${group}/${version}`,
      kind,
      ...leaf.skeleton,
      ...more,
      ...(metadata && { metadata: { ...(leaf.skeleton["metadata"] as object | undefined), ...metadata } }),
    }).replace(`"${placeholder}"`, value);
  const query = { dryRun: "All", fieldValidation: "Ignore" };
  const isMetadataItself = leaf.skeleton["metadata"] === placeholder;
  const named = isMetadataItself ? undefined : { name: "other" };
  const create = await api.post(collection, of(named), { query });
  if (!definition.verbs.includes("patch")) return { create: outcomeOf(create, leaf) };
  const apply = await api.apply(`${collection}/other`, "m", of(named), { query });
  const made = { create: outcomeOf(create, leaf), apply: outcomeOf(apply, leaf) };
  if (bases[`${group}/${plural}`] === undefined) return made;
  const item = `${collection}/${name}`;
  const [top = ""] = Object.keys(leaf.skeleton);
  const operations = JSON.stringify([{ op: "add", path: `/${top}`, value: leaf.skeleton[top] }]);
  const patch = JSON.stringify(leaf.skeleton).replace(`"${placeholder}"`, value);
  return {
    ...made,
    put: outcomeOf(await api.put(item, of(isMetadataItself ? undefined : { name }), { query }), leaf),
    merge: outcomeOf(await api.mergePatch(item, patch, { query }), leaf),
    ...(top !== "metadata" && {
      json: outcomeOf(await api.jsonPatch(item, operations.replace(`"${placeholder}"`, value), { query }), leaf),
    }),
    strategic: await api.strategicPatch(item, patch, { query }).then((answer) => outcomeOf(answer, leaf), closed),
    "apply again": outcomeOf(
      await api.apply(item, "m", of(isMetadataItself ? undefined : { name }), { query: { ...query, force: true } }),
      leaf,
    ),
  };
};

/** Where two servers differ about decoding, or about the form of what both would store. */
const differences = (
  real: Readonly<Record<string, Outcome>>,
  ours: Readonly<Record<string, Outcome>>,
): readonly string[] =>
  Object.entries(real).flatMap(([way, there]) => {
    const here = ours[way];
    const isSame =
      there.decoded === here?.decoded &&
      // Which of the two a strategic patch is answered depends on what is in the list already.
      (there.decoded || there.code === here.code || way === "strategic") &&
      (there.stored === undefined || here.stored === undefined || there.stored === here.stored);
    return isSame ? [] : [`${way}: ${jsonText(there)}, here ${jsonText(here)}`];
  });

/** Places that cannot be compared: those of raw JSON are decoded by Kubernetes whatever it is, and refused later. */
const exceptions: ReadonlySet<string> = new Set([
  "ConfigMap metadata.managedFields[].fieldsV1",
  "ControllerRevision data",
  // What comes instead of the uid that is sent is made up, and a version that is none is refused later.
  "ConfigMap metadata.uid",
  "ConfigMap metadata.resourceVersion",
]);

const concurrency = 16;

describe.skipIf(assets === "")("every place of the built-in kinds", () => {
  let stop: () => Promise<unknown>;
  let real: Api;
  let ours: Api;
  const definitions = builtinDefinitions();
  // Kinds that can be written in every way first.
  const isStored = ({ group, plural }: (typeof definitions)[number]): boolean =>
    bases[`${group}/${plural}`] !== undefined;
  const leaves = leavesOf([...definitions.filter(isStored), ...definitions.filter((each) => !isStored(each))]).filter(
    ({ definition, path }) => !exceptions.has(`${definition.kind} ${path}`),
  );
  const types = [...new Set(leaves.map(({ type }) => type))];

  beforeAll(async () => {
    const server = await startKubeApiserver({ assets, users, controllers: false });
    const { server: own, target } = await startTarget();
    const caCertificate = server.certificateAuthority.certificate;
    real = createApi({ ...target, url: server.url, caCertificate });
    ours = createApi(target);
    stop = async () => {
      await Promise.all([real.close(), ours.close()]);
      await Promise.all([server.stop(), own.stop()]);
    };
    const refused: string[] = [];
    for (const api of [real, ours]) {
      // Without controllers no one else makes it, and Pods are refused.
      await api.post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
      for (const leaf of new Map(leaves.map((each) => [each.definition.storage.store, each])).values()) {
        const { group, plural } = leaf.definition;
        const base = bases[`${group}/${plural}`];
        if (base === undefined) continue;
        const answer = await api.post(collectionOf(leaf), { ...base, metadata: { name: nameOf(leaf) } });
        if (answer.code !== 201) refused.push(`${plural}: ${answer.text}`);
      }
    }
    expect(refused).toEqual([]);
  });
  afterAll(() => stop());

  it.each(types)("that holds a value of type %s takes the same", async (type) => {
    const wrong: string[] = [];
    const work = leaves
      .filter((leaf) => leaf.type === type)
      .flatMap((leaf) => sent[type].map((value) => ({ leaf, value })));
    const next = work.values();
    const run = async (): Promise<void> => {
      for (const { leaf, value } of next) {
        const [there, here] = await Promise.all([outcomes(real, leaf, value), outcomes(ours, leaf, value)]);
        const found = differences(there, here);
        if (found.length > 0) wrong.push(`${leaf.definition.kind} ${leaf.path} ${value}: ${found.join("; ")}`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, run));
    expect(work.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});
