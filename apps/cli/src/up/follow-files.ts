import type { ManifestObject } from "@capstan/apiserver";
import { isCapstanError, type Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { identityOf } from "../manifest/identity.ts";
import { isElsewhere, type ManifestFile } from "../manifest/read-manifests.ts";
import { watchPaths } from "../manifest/watch-paths.ts";
import type { View } from "../view/view.ts";
import { missingObjects } from "./apply.ts";

const objectsOf = (files: readonly ManifestFile[], namespace: string): ReadonlyMap<string, ManifestObject> =>
  new Map(files.flatMap(({ objects }) => objects.map((item) => [identityOf(item, namespace), item])));

const sayTakenOut = (view: View, { source, object: { kind, metadata } }: ManifestObject): void =>
  view.say({
    type: "takenOut",
    text: `${source}: ${kind} ${metadata.name ?? ""} was taken out of the files and stays; kubectl delete removes it`,
    fields: { kind, namespace: metadata.namespace, name: metadata.name },
  });

/**
 * Applies files and folders again whenever they change; what is wrong with them is said, and looked at again at the next change. So is what
 * is in none of them any more: it stays.
 */
export const followFiles = (
  paths: readonly string[],
  options: {
    /** What the paths held when it was applied. */
    readonly files: readonly ManifestFile[];
    readonly readFiles: (paths: readonly string[]) => Promise<readonly ManifestFile[]>;
    readonly apply: (files: readonly ManifestFile[]) => Promise<void>;
    readonly client: Client;
    readonly clock: Clock;
    readonly view: View;
    readonly signal: AbortSignal;
    /** Of objects that name none. */
    readonly namespace: string;
  },
): (() => void) => {
  const local = paths.filter((path) => !isElsewhere(path));
  const readOnce = options.files.filter(({ source }) => isElsewhere(source));
  let declared = objectsOf(options.files, options.namespace);
  const applyOnce = async (): Promise<void> => {
    try {
      const files = await options.readFiles(local);
      const before = declared;
      declared = objectsOf([...readOnce, ...files], options.namespace);
      const takenOut = [...before].flatMap(([identity, item]) => (declared.has(identity) ? [] : [item]));
      const missing = new Set(await missingObjects(takenOut, options));
      for (const item of takenOut) if (!missing.has(item)) sayTakenOut(options.view, item);
      await options.apply(files);
    } catch (error) {
      if (options.signal.aborted) return;
      if (!isCapstanError(error)) throw error;
      const { code, message, reason } = error;
      options.view.say({ type: "error", text: message, fields: { code, reason } });
    }
  };
  let work = Promise.resolve();
  return watchPaths(local, options.clock, () => {
    work = work.then(applyOnce);
  });
};
