import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApi } from "./conformance/api.ts";
import { expectCode } from "./conformance/expectations.ts";
import { configMap, configMaps } from "./conformance/objects.ts";
import { startServer, startTarget } from "./embedded-server.ts";

let folder: string;
let file: string;
const identity = (): string => `${file}.identity.json`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-data-"));
  file = join(folder, "api.db");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a server once, so that there is something to lose. */
const runOnce = async (): Promise<void> => {
  const { server, target } = await startTarget({ storage: { file } });
  const api = createApi(target);
  expectCode(await api.post(configMaps("default"), configMap("kept")), 201);
  await api.close();
  await server.stop();
};

const refusal = async (): Promise<{ readonly code: string; readonly message: string }> =>
  await startServer({ storage: { file } }).then(
    async (server) => {
      await server.stop();
      return { code: "started", message: "" };
    },
    (error: { readonly code: string; readonly message: string }) => error,
  );

describe("a data file whose parts do not fit together", () => {
  beforeEach(runOnce);

  it.each<[string, () => void, string]>([
    ["the data file is missing", () => rmSync(file), "apiserver.storage_missing"],
    ["the data file is empty", () => truncateSync(file), "apiserver.storage_missing"],
    ["the identity is missing", () => rmSync(identity()), "apiserver.identity_missing"],
    ["the identity is empty", () => truncateSync(identity()), "apiserver.identity_corrupt"],
    ["the identity is no identity", () => writeFileSync(identity(), "{}"), "apiserver.identity_corrupt"],
    [
      "the identity is a pipe",
      () => {
        rmSync(identity());
        execFileSync("mkfifo", [identity()]);
      },
      "apiserver.identity_corrupt",
    ],
    ["the identity is a list", () => writeFileSync(identity(), "[null]"), "apiserver.identity_corrupt"],
  ])("is refused with a sentence, and stays as it is: %s", async (_, damage, code) => {
    damage();
    const { code: given, message } = await refusal();
    expect(given).toBe(code);
    expect(message).toContain(file);
    expect(message).toMatch(/\. .*(Put|Restore|restore|move)/);
    expect(message).not.toContain("\n");
    expect((await refusal()).code).toBe(code);
  });

  it("starts again when nothing is missing", async () => {
    expect((await refusal()).code).toBe("started");
    expect((await refusal()).code).toBe("started");
  });

  it("starts beside an identity of a release that noted nothing", async () => {
    const { storage: _, ...older } = JSON.parse(readFileSync(identity(), "utf8")) as Record<string, unknown>;
    writeFileSync(identity(), JSON.stringify(older));
    expect((await refusal()).code).toBe("started");
  });

  it("is refused when it is an older copy", async () => {
    const older = readFileSync(file);
    await runOnceMore();
    writeFileSync(file, older);
    const { code, message } = await refusal();
    expect(code).toBe("apiserver.storage_missing");
    expect(message).toMatch(/ends at revision \d+, and has been at \d+/);
  });

  const runOnceMore = async (): Promise<void> => {
    const { server, target } = await startTarget({ storage: { file } });
    const api = createApi(target);
    expectCode(await api.post(configMaps("default"), configMap("more")), 201);
    await api.close();
    await server.stop();
  };
});

describe("a data file that others may read", () => {
  it("is said when the server starts", async () => {
    const warnings: string[] = [];
    const log = { ...silentLogger, warn: (message: string) => void warnings.push(message), child: () => log };
    await (await startServer({ storage: { file }, log })).stop();
    expect(warnings).toEqual([]);
    chmodSync(folder, 0o755);
    chmodSync(file, 0o644);
    await (await startServer({ storage: { file }, log })).stop();
    expect(warnings).toEqual([expect.stringMatching(/other users can read .* chmod 700/)]);
  });
});
