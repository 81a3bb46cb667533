import { inApplyOrder, type ManifestObject } from "@capstan/apiserver";
import { CapstanError, isCapstanError, type Clock } from "@capstan/contract";
import { createDiscovery, type Client } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";

export type ApplyResult = "created" | "configured" | "unchanged";

/**
 * Applies manifests server-side with strict validation, in an order in which references resolve. Every object is tried;
 * then `apply.refused` names each that was refused with its place, the fields and the reasons.
 */
export const applyManifests = async (
  objects: readonly ManifestObject[],
  options: {
    readonly client: Client;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly namespace: string;
    readonly onApplied: (object: KubeObject, result: ApplyResult) => void;
  },
): Promise<void> => {
  const find = kindFinder(options.client, options.signal);
  const ordered = inApplyOrder(objects, ({ object }) => object);
  const refused: string[] = [];
  for (const { object, source } of ordered) {
    try {
      options.onApplied(object, await applyObject(object, await find(object), options));
    } catch (error) {
      options.signal.throwIfAborted();
      if (!isRefusal(error)) throw error;
      const why = withoutCall(error.message).replaceAll("\n", "\n  ");
      refused.push(`${source}: ${object.kind} ${object.metadata.name ?? ""}: ${why}`);
    }
  }
  if (refused.length === 0) return;
  throw new CapstanError({
    code: "apply.refused",
    reason: "ManifestRefused",
    message: [`${refused.length} of ${objects.length} objects were refused; the others are applied`, ...refused].join(
      "\n  ",
    ),
    retry: { kind: "never" },
  });
};

/** Everything the server answers about an object; not that it does not answer at all. */
const isRefusal = (error: unknown): error is CapstanError =>
  isCapstanError(error) && !["kube.unavailable", "kube.timeout", "kube.unauthorized"].includes(error.code);

/** The message of an answer without the method and path in front, which say less than file and line. */
const withoutCall = (message: string): string => message.replace(/^[A-Z]+ \/\S*: /, "");

const applyObject = async (
  object: KubeObject,
  kind: Resource,
  { client, signal, namespace }: { readonly client: Client; readonly signal: AbortSignal; readonly namespace: string },
): Promise<ApplyResult> => {
  const key = {
    name: object.metadata.name ?? "",
    ...(kind.namespaced ? { namespace: object.metadata.namespace ?? namespace } : {}),
  };
  const path = `/${kind.group === "" ? "api" : `apis/${kind.group}`}/${kind.version}${kind.namespaced ? `/namespaces/${key.namespace ?? ""}` : ""}/${kind.plural}/${key.name}`;
  const applyOver = (before: KubeObject | undefined): Promise<KubeObject> =>
    client.request<KubeObject>({
      method: "PATCH",
      path,
      query: { fieldManager: "capstan-up", force: "true", fieldValidation: "Strict" },
      headers: { "content-type": "application/apply-patch+yaml" },
      body: before === undefined ? object : atVersionOf(before, object),
      signal,
    });
  const find = (): Promise<KubeObject | undefined> => client.find(kind, key, { signal });
  let before = await find();
  for (let left = lostRaces; ; left--) {
    try {
      const after = await applyOver(left > 0 ? before : undefined);
      // It may have gone in between, and is a new one then.
      if (before?.metadata.uid !== after.metadata.uid) return "created";
      return versionOf(before) === versionOf(after) ? "unchanged" : "configured";
    } catch (error) {
      if (left <= 0 || before === undefined || !isCapstanError(error, "kube.conflict")) throw error;
      // Somebody else wrote in between, and what that changed is not ours to report. Any other conflict stays one.
      const now = await find();
      if (now !== undefined && versionOf(now) === versionOf(before)) throw error;
      before = now;
    }
  }
};

/** After so many, what is applied matters more than what is said of it: then it is applied whatever others write. */
const lostRaces = 20;

const versionOf = (object: KubeObject | undefined): string => object?.metadata.resourceVersion ?? "";

/** What to apply on exactly this version of the object, unless the manifest names one; the server answers a conflict on any other. */
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
  const mend =
    others.length === 0
      ? "check apiVersion and kind, and that its provider runs (--providers)"
      : `write it in ${others.join(" or ")}`;
  return new CapstanError({
    code: "apply.kind_unknown",
    reason: "KindUnknown",
    message: `there is no ${kind} in ${apiVersion} here; ${mend}`,
    retry: { kind: "never" },
  });
};
