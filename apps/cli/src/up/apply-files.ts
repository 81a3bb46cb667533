import type { ManifestObject } from "@capstan/apiserver";
import { isCapstanError, type Clock } from "@capstan/contract";
import { defaultUserAgent, type Client } from "@capstan/kube";
import { countNoun, keyOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { withoutChecks, type HeldItem } from "../manifest/held-workers.ts";
import { leftOutWords } from "../manifest/addons.ts";
import type { ManifestFile } from "../manifest/read-manifests.ts";
import type { View } from "../view/view.ts";
import { nameOf } from "../manifest/identity.ts";
import { readAppliedFiles } from "./applied-files.ts";
import { leftOver, partOfLabel, type AppliedObject } from "./apply-set.ts";
import { applyManifests, missingObjects } from "./apply.ts";
import type { KeptField } from "./kept-fields.ts";
import { unservedAddons } from "./served-manifests.ts";

interface ApplyFilesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly view: View;
  readonly signal: AbortSignal;
  readonly namespace: string;
  /** Applies every file, and takes the fields of others. */
  readonly forceConflicts: boolean;
  /** Lets workers go that rules of version skew hold, also those of files that have not changed. */
  readonly force?: boolean | undefined;
  /** Deletes objects of files applied earlier that are no longer in any of the files. Default: they are named. */
  readonly prune?: boolean;
  /** Called with what is about to be applied; what it throws keeps all of it from being applied. */
  readonly check?: (manifests: readonly ManifestObject[]) => Promise<readonly HeldItem[]>;
}

const shortNameOf = ({ object }: ManifestObject): string => `${object.kind} ${object.metadata.name ?? ""}`;

const sayWarning = (view: View, item: ManifestObject, message: string): void => {
  const { kind, metadata } = item.object;
  const text = `${item.source}: ${shortNameOf(item)}: ${message}`;
  view.say({ type: "warning", text, fields: { kind, name: metadata.name } });
};

const sayKept = (view: View, item: ManifestObject, kept: readonly KeptField[]): void => {
  for (const [owner, fields] of Map.groupBy(kept, (each) => each.owner)) {
    const names = fields.map(({ field }) => field);
    const stays = `${item.source}: ${shortNameOf(item)}: ${names.join(", ")} ${names.length === 1 ? "stays" : "stay"} as`;
    const text =
      owner === defaultUserAgent
        ? `${stays} the controllers of Capstan set it`
        : `${stays} ${owner} set it; --force-conflicts uses the value in the file`;
    const { kind, metadata } = item.object;
    view.say({ type: "conflict", text, fields: { kind, name: metadata.name, owner, paths: names } });
  }
};

const sayMissing = async (files: readonly ManifestFile[], options: ApplyFilesOptions): Promise<void> => {
  for (const item of await missingObjects(
    files.flatMap(({ objects }) => objects),
    options,
  )) {
    const text = `${item.source}: ${shortNameOf(item)} was deleted after the file was applied; --force-conflicts recreates it`;
    options.view.say({ type: "missing", text, fields: { kind: item.object.kind, name: item.object.metadata.name } });
  }
};

const unchangedText = (files: readonly ManifestFile[]): string => {
  const [first] = files;
  if (first === undefined) return "";
  const what = files.length === 1 ? `${first.source} has` : `${countNoun(files.length, "file")} have`;
  return `${what} not changed since ${files.length === 1 ? "it was" : "they were"} applied`;
};

/** So many objects are named in one line. */
const mostNamed = 10;

const sayLeftOver = (view: View, objects: readonly KubeObject[]): void => {
  if (objects.length === 0) return;
  const names = objects.map(nameOf);
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  const text = `${countNoun(names.length, "object")} no longer in any file (--prune deletes): ${names.slice(0, mostNamed).join(", ")}${more}`;
  view.say({ type: "leftOver", text, fields: { objects: names } });
};

const prune = async (items: readonly AppliedObject[], { client, signal, view }: ApplyFilesOptions): Promise<void> => {
  for (const { kind, object } of items) {
    const { name, namespace, uid = "" } = object.metadata;
    view.say({
      type: "pruned",
      text: `deleting ${nameOf(object)}, which is no longer in any file`,
      fields: { kind: object.kind, namespace, name },
    });
    await client.delete(kind, keyOf(object), { preconditions: { uid }, signal });
  }
};

/** Returns a manifest with the annotation that lets its workers go, where they are held. */
const allowed = (item: ManifestObject, held: readonly HeldItem[], view: View): ManifestObject => {
  const found = held.find((each) => each.item === item);
  if (found === undefined) return item;
  const { kind, metadata } = item.object;
  const text = `${item.source}: ${shortNameOf(item)}: created although ${found.checks.join(" and ")} failed, as --force says`;
  view.say({ type: "warning", text, fields: { kind, name: metadata.name } });
  return withoutChecks(found);
};

/** The files without add-ons that nothing serves, which are named. */
const withoutUnserved = async (
  files: readonly ManifestFile[],
  { client, signal, view }: ApplyFilesOptions,
): Promise<readonly ManifestFile[]> => {
  const all = files.flatMap(({ objects }) => objects);
  const unserved = await unservedAddons(all, { client, signal });
  const text = leftOutWords([...unserved], all);
  if (text === undefined) return files;
  view.say({ type: "leftOut", text, fields: { objects: [...unserved].map(({ object }) => nameOf(object)) } });
  return files.map((file) => ({ ...file, objects: file.objects.filter((item) => !unserved.has(item)) }));
};

/**
 * Applies the files that have changed since they were applied: what others changed meanwhile stays, fields that they own are named.
 * Then looks for objects of earlier files that are in none of these. Throws `apply.refused`; the files without a refused object count as applied then.
 */
export const applyFiles = async (given: readonly ManifestFile[], options: ApplyFilesOptions): Promise<void> => {
  const { client, signal, view, forceConflicts } = options;
  const files = await withoutUnserved(given, options);
  const record = await readAppliedFiles(client, { signal });
  const [kept, changed] = [[] as ManifestFile[], [] as ManifestFile[]];
  const isKept = (file: ManifestFile): boolean => record.isApplied(file) && !forceConflicts && options.force !== true;
  for (const file of files) (isKept(file) ? kept : changed).push(file);
  const counts = { created: 0, configured: 0, unchanged: 0 };
  const refused = new Set<ManifestObject>();
  const declared = changed.flatMap(({ objects }) => objects);
  const held = (await options.check?.(declared)) ?? [];
  const manifests = options.force === true ? declared.map((item) => allowed(item, held, view)) : declared;
  await record.announce(manifests, options.namespace);
  try {
    await applyManifests(manifests, {
      ...options,
      labels: { [partOfLabel]: record.set.id },
      onApplied: (_, result) => void (counts[result] += 1),
      onRefused: (item) => void refused.add(declared[manifests.indexOf(item)] ?? item),
      onWarning: (item, message) => sayWarning(view, item, message),
      ...(!forceConflicts && { onKept: (item, fields) => sayKept(view, item, fields) }),
    });
  } catch (error) {
    if (isCapstanError(error, "apply.refused")) await record.remember(changed.filter(isWithout(refused)));
    throw error;
  }
  await record.remember(changed);
  sayApplied(view, { changed, kept, counts });
  await sayMissing(kept, options);
  if (files.length === 0) return;
  const all = files.flatMap(({ objects }) => objects);
  const left = await leftOver(record.set, all, options);
  if (options.prune !== true) {
    sayLeftOver(
      view,
      left.map(({ object }) => object),
    );
    return;
  }
  await prune(left, options);
  await record.settle(all, options.namespace);
};

const isWithout =
  (refused: ReadonlySet<ManifestObject>) =>
  ({ objects }: ManifestFile): boolean =>
    !objects.some((item) => refused.has(item));

const sayApplied = (
  view: View,
  {
    changed,
    kept,
    counts,
  }: {
    readonly changed: readonly ManifestFile[];
    readonly kept: readonly ManifestFile[];
    readonly counts: Readonly<Record<"created" | "configured" | "unchanged", number>>;
  },
): void => {
  if (changed.length + kept.length === 0) return;
  const { created, configured, unchanged } = counts;
  const applied = `${countNoun(created + configured + unchanged, "object")} applied: ${created} created, ${configured} configured, ${unchanged} unchanged`;
  const parts = [...(changed.length > 0 ? [applied] : []), ...(kept.length > 0 ? [unchangedText(kept)] : [])];
  const before = kept.reduce((sum, { objects }) => sum + objects.length, 0);
  view.say({ type: "applied", text: parts.join("; "), fields: { created, configured, unchanged: unchanged + before } });
};
