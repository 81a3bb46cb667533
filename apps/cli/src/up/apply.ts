import { NamespaceResource } from "@capstan/contract/wire";
import { inApplyOrder, type ManifestObject } from "@capstan/apiserver";
import { CapstanError, isCapstanError, type Clock } from "@capstan/contract";
import { createDiscovery, type Client } from "@capstan/kube";
import { countNoun, groupOf, toBase64 } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { type Refusal, refusalExplainer } from "./explain-refusal.ts";
import { conflictsIn, withoutFields, type KeptField } from "./kept-fields.ts";

export type ApplyResult = "created" | "configured" | "unchanged";

export interface ApplyOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Namespace of objects that name none. */
  readonly namespace: string;
  /** Owner of the fields. Default: that of what users apply with `capstan up`. */
  readonly fieldManager?: string;
  /** Labels that every object gets. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly onApplied?: (object: KubeObject, result: ApplyResult) => void;
  /** Given, fields that others own and have another value in stay theirs, and are named to it. Default: such fields are taken. */
  readonly onKept?: (item: ManifestObject, kept: readonly KeptField[]) => void;
  readonly onRefused?: (item: ManifestObject) => void;
  /** Called with what the server warns of about an object that it takes. */
  readonly onWarning?: (item: ManifestObject, message: string) => void;
}

/**
 * Applies manifests server-side with strict validation, in an order in which references resolve. Every object is tried;
 * then `apply.refused` names each that was refused with its place, the fields and the reasons.
 */
export const applyManifests = async (objects: readonly ManifestObject[], options: ApplyOptions): Promise<void> => {
  const find = kindFinder(options.client, options.signal);
  const explain = refusalExplainer(options.client, options.signal);
  const ordered = inApplyOrder(objects, ({ object }) => object);
  const refused: string[] = [];
  for (const item of ordered) {
    const { object } = item;
    try {
      const kept = (fields: readonly KeptField[]): void => options.onKept?.(item, fields);
      const warn = (message: string): void => options.onWarning?.(item, message);
      const result = await applyObject(object, await find(object), { ...options, kept, warn });
      options.onApplied?.(object, result);
    } catch (error) {
      options.signal.throwIfAborted();
      if (!isRefusal(error)) throw error;
      options.onRefused?.(item);
      const { message, where } = await explain(item, error);
      const why = message.replaceAll("\n", "\n  ");
      refused.push(`${where}: ${object.kind} ${object.metadata.name ?? ""}: ${why}`);
    }
  }
  if (refused.length === 0) return;
  const others = refused.length < objects.length ? "; the others are applied" : "";
  const said = `${refused.length} of ${countNoun(objects.length, "object")} ${refused.length === 1 ? "was" : "were"} refused${others}`;
  throw new CapstanError({
    code: "apply.refused",
    reason: "ManifestRefused",
    message: [said, ...refused].join("\n  "),
    retry: { kind: "never" },
  });
};

/** The objects that the server does not have; one of a kind that it does not know is not looked for. */
export const missingObjects = async (
  objects: readonly ManifestObject[],
  { client, signal, namespace }: Pick<ApplyOptions, "client" | "signal" | "namespace">,
): Promise<readonly ManifestObject[]> => {
  const resourceOf = kindFinder(client, signal);
  const missing: ManifestObject[] = [];
  for (const item of objects) {
    const resource = await resourceOf(item.object).catch((error: unknown) => {
      if (isCapstanError(error, "apply.kind_unknown")) return undefined;
      throw error;
    });
    if (resource === undefined) continue;
    const { kind, key } = placeOf(item.object, resource, namespace);
    if ((await client.find(kind, key, { signal })) === undefined) missing.push(item);
  }
  return missing;
};

/** Everything the server answers about an object; not that it does not answer at all. */
const isRefusal = (error: unknown): error is CapstanError =>
  isCapstanError(error) && !["kube.unavailable", "kube.timeout", "kube.unauthorized"].includes(error.code);

/** Owner of the fields that `capstan up` applies. */
export const upFieldManager = "capstan-up";

/** Where an object is. */
interface Place {
  readonly kind: Resource;
  readonly key: { readonly name: string; readonly namespace?: string };
  readonly path: string;
}

const placeOf = ({ metadata }: KubeObject, kind: Resource, namespace: string): Place => {
  const key = {
    name: metadata.name ?? "",
    ...(kind.namespaced ? { namespace: metadata.namespace ?? namespace } : {}),
  };
  const path = `/${kind.group === "" ? "api" : `apis/${kind.group}`}/${kind.version}${kind.namespaced ? `/namespaces/${key.namespace ?? ""}` : ""}/${kind.plural}/${key.name}`;
  return { kind, key, path };
};

/** Applies an object; with `onKept` without the fields that others keep. */
const applyFields = async (
  path: string,
  object: KubeObject,
  { client, dryRun, fieldManager = upFieldManager, kept, onKept, signal, warn: onWarning }: KeepingOptions,
): Promise<KubeObject> => {
  const query = {
    fieldManager,
    force: String(onKept === undefined),
    fieldValidation: "Strict",
    ...(dryRun === true && { dryRun: "All" }),
  };
  const headers = { "content-type": "application/apply-patch+yaml" };
  const others: KeptField[] = [];
  for (let body = object; ;) {
    try {
      const request = { method: "PATCH", path, query, headers, body, signal, onWarning } as const;
      const after = await client.request<KubeObject>(request);
      if (others.length > 0) kept(others);
      return after;
    } catch (error) {
      const found = isCapstanError(error, "kube.conflict") ? conflictsIn(error) : [];
      const rest = withoutFields(
        body,
        found.map(({ field }) => field),
      );
      if (rest === body) throw error;
      others.push(...found);
      body = rest;
    }
  }
};

type KeepingOptions = Pick<ApplyOptions, "client" | "fieldManager" | "signal" | "onKept"> & {
  readonly kept: (fields: readonly KeptField[]) => void;
  readonly warn: (message: string) => void;
  /** Nothing is written. */
  readonly dryRun?: boolean;
};

/** Result of applying an object. */
export interface Trial {
  readonly item: ManifestObject;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject;
  /** Fields that stay as others set them. */
  readonly kept: readonly KeptField[];
  /** Warnings of the server. */
  readonly warnings: readonly string[];
}

/** Tries to apply objects with nothing written, and names each that the server would refuse. Nothing is known of one in a Namespace to come. */
export const tryManifests = async (
  objects: readonly ManifestObject[],
  options: Pick<ApplyOptions, "client" | "labels" | "signal" | "namespace">,
): Promise<{
  readonly trials: readonly Trial[];
  readonly refused: readonly (Refusal & { readonly item: ManifestObject })[];
}> => {
  const { client, signal } = options;
  const explain = refusalExplainer(client, signal);
  const resourceOf = kindFinder(client, signal);
  const trials: Trial[] = [];
  const refused: (Refusal & { readonly item: ManifestObject })[] = [];
  const coming = namesOf(objects, "Namespace");
  const defined = definedKinds(objects);
  for (const item of inApplyOrder(objects, ({ object }) => object)) {
    try {
      const given = withLabels(withBytes(item.object), options.labels);
      if (defined.has(`${groupOf(given.apiVersion)}/${given.kind}`)) {
        trials.push({ item, before: undefined, after: given, kept: [], warnings: [] });
        continue;
      }
      const { kind, key, path } = placeOf(given, await resourceOf(given), options.namespace);
      const placed = kind.namespaced ? { ...given, metadata: { ...given.metadata, namespace: key.namespace } } : given;
      const before = await client.find(kind, key, { signal });
      const isComing = before === undefined && coming.has(key.namespace ?? "") && !(await isThere(client, key, signal));
      if (isComing) {
        trials.push({ item, before, after: placed as KubeObject, kept: [], warnings: [] });
        continue;
      }
      const [kept, warnings] = [[] as KeptField[], [] as string[]];
      const keeping = {
        client,
        signal,
        onKept: () => undefined,
        kept: (found: readonly KeptField[]) => void kept.push(...found),
        warn: (message: string) => void warnings.push(message),
      };
      const after = await applyFields(path, given, { ...keeping, dryRun: true });
      trials.push({ item, before, after, kept, warnings });
    } catch (error) {
      signal.throwIfAborted();
      if (!isRefusal(error)) throw error;
      refused.push({ item, ...(await explain(item, error)) });
    }
  }
  return { trials, refused };
};

const isThere = async (
  client: Client,
  { namespace = "" }: { readonly namespace?: string },
  signal: AbortSignal,
): Promise<boolean> => (await client.find(NamespaceResource, { name: namespace }, { signal })) !== undefined;

const namesOf = (objects: readonly ManifestObject[], kind: string): ReadonlySet<string> =>
  new Set(objects.flatMap(({ object }) => (object.kind === kind ? [object.metadata.name ?? ""] : [])));

/** The kinds that CustomResourceDefinitions among manifests define, as `group/Kind`. */
export const definedKinds = (manifests: readonly ManifestObject[]): ReadonlySet<string> =>
  new Set(manifests.flatMap(({ object }) => definedKind(object)));

const definedKind = (object: KubeObject): readonly string[] => {
  if (object.kind !== "CustomResourceDefinition") return [];
  const { group = "", names } = (object["spec"] ?? {}) as {
    readonly group?: string;
    readonly names?: { readonly kind?: string };
  };
  return [`${group}/${names?.kind ?? ""}`];
};

const applyObject = async (
  given: KubeObject,
  resource: Resource,
  options: KeepingOptions & Pick<ApplyOptions, "labels" | "namespace">,
): Promise<ApplyResult> => {
  const { client, labels, signal, namespace } = options;
  const object = withLabels(withBytes(given), labels);
  const { kind, key, path } = placeOf(object, resource, namespace);
  const find = (): Promise<KubeObject | undefined> => client.find(kind, key, { signal });
  let before = await find();
  for (let left = lostRaces; ; left--) {
    try {
      const known = left > 0 ? before : undefined;
      const after = await applyFields(path, known === undefined ? object : atVersionOf(known, object), options);
      // It may have gone in between, and is a new one then.
      if (before?.metadata.uid !== after.metadata.uid) return "created";
      return versionOf(before) === versionOf(after) ? "unchanged" : "configured";
    } catch (error) {
      if (left <= 0 || before === undefined || !isCapstanError(error, "kube.conflict")) throw error;
      // Another user wrote in between, and what that changed is not ours to report. Any other conflict stays one.
      const now = await find();
      if (now !== undefined && versionOf(now) === versionOf(before)) throw error;
      before = now;
    }
  }
};

/** The server keeps the texts of a Secret as bytes, and who owns them by that name. */
const withBytes = (object: KubeObject): KubeObject => {
  const { stringData, data, ...rest } = object as KubeObject & Readonly<Record<string, unknown>>;
  if (object.kind !== "Secret" || typeof stringData !== "object" || stringData === null) return object;
  const values = Object.entries(stringData as Readonly<Record<string, unknown>>);
  if (values.some(([, text]) => typeof text !== "string")) return object;
  const texts = values.map(([name, text]) => [name, toBase64(text as string)]);
  return { ...rest, data: { ...(data as object | undefined), ...Object.fromEntries(texts) } };
};

const withLabels = (object: KubeObject, labels: ApplyOptions["labels"]): KubeObject =>
  labels === undefined
    ? object
    : { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } } };

/** After so many, what is applied matters more than what is said of it: then it is applied whatever others write. */
const lostRaces = 20;

const versionOf = (object: KubeObject | undefined): string => object?.metadata.resourceVersion ?? "";

/**
 * Pins the object to the version in `before`, unless the manifest names one; the server answers a conflict on any
 * other.
 */
const atVersionOf = (before: KubeObject, object: KubeObject): KubeObject => ({
  ...object,
  metadata: { resourceVersion: versionOf(before), ...object.metadata },
});

/** Finds where objects of a kind live by asking the server. Throws `apply.kind_unknown`. */
const kindFinder = (client: Client, signal: AbortSignal): ((object: KubeObject) => Promise<Resource>) => {
  const discovery = createDiscovery(client);
  return async ({ apiVersion, kind }) => {
    const [group, version] = apiVersion.includes("/") ? (apiVersion.split("/") as [string, string]) : ["", apiVersion];
    const servedIn = (candidate: string): Promise<Resource | undefined> =>
      discovery.resourceFor({ group, kind, version: candidate }, { signal });
    const found = await servedIn(version);
    if (found !== undefined) return found;
    const others: string[] = [];
    for (const served of await discovery.versions(group, { signal })) {
      if ((await servedIn(served)) !== undefined) others.push(group === "" ? served : `${group}/${served}`);
    }
    throw unknownKind({ apiVersion, kind }, others);
  };
};

const unknownKind = (
  { apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">,
  others: readonly string[],
): CapstanError => {
  const fix =
    others.length === 0
      ? "check apiVersion and kind, and that its provider is running (--providers)"
      : `use ${others.join(" or ")}`;
  return new CapstanError({
    code: "apply.kind_unknown",
    reason: "KindUnknown",
    message: `no matches for kind "${kind}" in version "${apiVersion}"; ${fix}`,
    retry: { kind: "never" },
  });
};
