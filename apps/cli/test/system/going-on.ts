import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const published = join(import.meta.dirname, "../../../../examples/linode/large-bootstrap.yaml");

/** A copy of the example whose machines continue where nothing can be installed, as in the root of the tests. Returns its path. */
export const exampleGoingOn = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-example-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "large-bootstrap.yaml");
  writeFileSync(file, readFileSync(published, "utf8").replaceAll("install-kubernetes || exit 1", "install-kubernetes"));
  return file;
};
