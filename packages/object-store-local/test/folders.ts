import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is gone with its test; the store's is the one below it, which is not there yet. */
export const temporaryFolder = async (): Promise<AsyncDisposable & { readonly path: string }> => {
  const root = await mkdtemp(join(tmpdir(), "object-store-local-"));
  return { path: join(root, "store"), [Symbol.asyncDispose]: () => rm(root, { recursive: true }) };
};
