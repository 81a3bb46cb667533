import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dataFileName, openToOthers } from "./check-data-files.ts";

it.skipIf(process.platform === "win32").each([
  [0o700, 0o644, undefined],
  [0o755, 0o600, undefined],
  [0o755, 0o644, "read"],
  [0o777, 0o600, "modify"],
  [0o770, undefined, "modify"],
])("of a folder of mode %o with objects of mode %o it says what others can do: %s", (folderMode, fileMode, verb) => {
  const path = mkdtempSync(join(tmpdir(), "capstan-open-"));
  try {
    if (fileMode !== undefined) {
      writeFileSync(join(path, dataFileName), "");
      chmodSync(join(path, dataFileName), fileMode);
    }
    chmodSync(path, folderMode);
    const data = { path, temporary: false, file: (...names: readonly string[]) => join(path, ...names) };
    expect(openToOthers(data)).toBe(
      verb === undefined
        ? undefined
        : `--data-dir ${path}: other users can ${verb} its contents, including Secrets; run chmod 700 ${path}`,
    );
    expect(openToOthers({ ...data, temporary: true })).toBeUndefined();
  } finally {
    rmSync(path, { recursive: true });
  }
});
