import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Before the folder of a kustomization, in lists of manifests. */
const prefix = "kustomize:";

/** A kustomization, as it stands in a list of manifests and as the source of what it makes. */
export const kustomization = (folder: string): string => `${prefix}${folder}`;

/** The folder of a kustomization; `undefined` for any other manifest. */
export const kustomizedFolder = (path: string): string | undefined =>
  path.startsWith(prefix) ? path.slice(prefix.length) : undefined;

/** Returns whether a file is what says how a folder is built. */
export const isKustomizationFile = (path: string): boolean => /(?:^|\/)kustomization\.ya?ml$/.test(path);

/** Programs that build kustomizations; the first one available is used. */
const builders = [
  ["kubectl", "kustomize"],
  ["kustomize", "build"],
] as const;

const maxBytes = 64 * 1024 ** 2;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

const saidBy = (error: unknown): string => {
  const { message, stderr = "" } = error as Error & { readonly stderr?: string };
  return stderr.trim() === "" ? message : stderr.trim().replace(/^error: /, "");
};

/** The manifests that kubectl, or else kustomize, makes of a kustomization. Throws an `Error` that says why it cannot. */
export const buildKustomization = async (
  folder: string,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<string> => {
  for (const [program, command] of builders) {
    try {
      const options = { maxBuffer: maxBytes, ...(signal !== undefined && { signal }) };
      return (await promisify(execFile)(program, [command, folder], options)).stdout;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isMissing(error)) throw new Error(saidBy(error), { cause: error });
    }
  }
  throw new Error("kustomizations need kubectl or kustomize; install one of them");
};
