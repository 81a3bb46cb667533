import { isCapstanError, type Clock } from "@capstan/contract";
import { isElsewhere, type ManifestFile } from "../manifest/read-manifests.ts";
import { watchPaths } from "../manifest/watch-paths.ts";
import type { View } from "../view/view.ts";

/**
 * Applies files and folders again whenever they change; what is wrong with them is said, and looked at again at the next change.
 */
export const followFiles = (
  paths: readonly string[],
  options: {
    /** Content of the paths when they were applied. */
    readonly files: readonly ManifestFile[];
    readonly readFiles: (paths: readonly string[]) => Promise<readonly ManifestFile[]>;
    readonly apply: (files: readonly ManifestFile[]) => Promise<void>;
    readonly clock: Clock;
    readonly view: View;
    readonly signal: AbortSignal;
    /** Folders in folders count. Default: files alone. */
    readonly recursive?: boolean | undefined;
  },
): (() => void) => {
  const local = paths.filter((path) => !isElsewhere(path));
  const readOnce = options.files.filter(({ source }) => isElsewhere(source));
  const applyOnce = async (): Promise<void> => {
    try {
      await options.apply([...readOnce, ...(await options.readFiles(local))]);
    } catch (error) {
      if (options.signal.aborted) return;
      if (!isCapstanError(error)) throw error;
      const { code, message, reason } = error;
      options.view.say({ type: "error", text: message, fields: { code, reason } });
    }
  };
  let work = Promise.resolve();
  const changed = (): void => {
    work = work.then(applyOnce);
  };
  return watchPaths(local, options.clock, changed, options);
};
