import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import type { ManifestObject, Manifests, ManifestSource } from "@capstan/apiserver";
import { isCapstanError, type Clock } from "@capstan/contract";
import { whyUnreadable } from "../file-words.ts";
import { identityOf } from "./identity.ts";
import { manifestFiles, parseManifest } from "./read-manifests.ts";
import type { Variables } from "./variables.ts";
import { watchPaths } from "./watch-paths.ts";

type Problem = Manifests["problems"][number];

/** Why a file is not opened: what is applied with all rights stands in the folder itself, and opening a pipe would wait forever. */
const whyNotOpened = (folder: string, file: string): string | undefined => {
  const target = realpathSync(file);
  if (!target.startsWith(`${realpathSync(folder)}${sep}`)) {
    return "it is a link that leaves the folder; replace it with a copy";
  }
  return statSync(target).isFile() ? undefined : "it is not a regular file";
};

const whyUnread = (error: unknown, file: string): string =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true && !existsSync(file)
    ? "it is a broken link; fix or remove it"
    : whyUnreadable(error);

/** Explains why a folder that existed when the server started could not be listed. */
const whyNotListed = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code === "ENOENT"
    ? "the folder was removed; its objects stay until it returns"
    : whyUnreadable(error);

const readFile = (folder: string, file: string, variables: Variables): readonly ManifestObject[] | Problem => {
  try {
    const why = whyNotOpened(folder, file);
    if (why !== undefined) {
      return { source: file, message: `${file}: ${why}` };
    }
    return parseManifest(readFileSync(file, "utf8"), file, variables);
  } catch (error) {
    // Messages about a content begin with file and line already.
    const message = isCapstanError(error) ? error.message : `${file}: ${whyUnread(error, file)}`;
    return { source: file, message };
  }
};

const readFolder = (folder: string, variables: Variables): readonly (readonly ManifestObject[] | Problem)[] => {
  try {
    return manifestFiles(folder).map((file) => readFile(folder, file, variables));
  } catch (error) {
    return [{ source: folder, message: `--manifests ${folder}: ${whyNotListed(error)}` }];
  }
};

/** Drops duplicates: of an object in two places the first counts. */
const withoutDoubles = (objects: readonly ManifestObject[]): Manifests => {
  const places = new Map<string, string>();
  const problems: Problem[] = [];
  const single = objects.filter((item) => {
    const first = places.get(identityOf(item));
    if (first === undefined) {
      places.set(identityOf(item), item.source);
      return true;
    }
    const { kind, metadata } = item.object;
    const message = `${item.source}: ${kind} ${metadata.name ?? ""} is also in ${first}, which takes precedence`;
    problems.push({ source: item.source, message });
    return false;
  });
  return { objects: single, problems };
};

/** The manifests of folders, and word of their changes by the file system. */
export const manifestFolders = (
  folders: readonly string[],
  { clock, variables }: { readonly clock: Clock; readonly variables: Variables },
): ManifestSource => ({
  read: () => {
    const parts = folders.flatMap((folder) => readFolder(folder, variables));
    const { objects, problems } = withoutDoubles(parts.flatMap((part) => ("message" in part ? [] : part)));
    return { objects, problems: [...parts.filter((part) => "message" in part), ...problems] };
  },
  watch: (listener) => watchPaths(folders, clock, listener),
});
