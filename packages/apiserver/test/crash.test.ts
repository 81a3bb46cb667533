import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApi, type Target } from "./conformance/api.ts";
import { configMap, configMaps } from "./conformance/objects.ts";
import { startTarget, startServer } from "./embedded-server.ts";

const program = join(import.meta.dirname, "fixtures", "serve.ts");

/** A server with a data file in a process of its own. */
interface Child {
  readonly process: ChildProcess;
  readonly url: string;
  readonly caCertificate: string;
}

const startChild = async (file: string): Promise<Child> => {
  const child = spawn(process.execPath, ["--conditions=@capstan/source", program, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { process: child, ...(JSON.parse(line.toString()) as { url: string; caCertificate: string }) };
};

const targetOf = ({ url, caCertificate }: Pick<Child, "url" | "caCertificate">): Target => ({
  url,
  caCertificate,
  tokens: { admin: "token-admin", alice: "token-alice", bob: "token-bob" },
  carol: { certificate: "", key: "" },
});

describe("a data file", () => {
  let directory: string;
  let file: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "capstan-data-"));
    file = join(directory, "state.db");
  });

  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  it("keeps every acknowledged write when the process is killed", async () => {
    const child = await startChild(file);
    const api = createApi(targetOf(child));
    const acknowledged = new Map<string, string>();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let index = 0; ; index++) {
        const name = `w${writer}-${index}`;
        const answer = await api.post(configMaps("default"), configMap(name, { index: String(index) }));
        acknowledged.set(name, answer.body.metadata.resourceVersion as string);
        if (acknowledged.size === 200) {
          child.process.kill("SIGKILL");
        }
      }
    });
    await Promise.allSettled(writers);
    await api.close();
    expect(acknowledged.size).toBeGreaterThanOrEqual(200);

    const server = await startServer({ storage: { file } });
    const again = createApi(targetOf(server));
    expect(server.caCertificate).toBe(child.caCertificate);
    const { body } = await again.get(configMaps("default"));
    const kept = new Map(
      body.items.map(({ metadata }: { metadata: { name: string; resourceVersion: string } }) => [
        metadata.name,
        metadata.resourceVersion,
      ]),
    );
    for (const [name, revision] of acknowledged) {
      expect(kept.get(name)).toBe(revision);
    }
    const created = await again.post(configMaps("default"), configMap("after"));
    expect(Number(created.body.metadata.resourceVersion)).toBeGreaterThan(Number(body.metadata.resourceVersion));
    await again.close();
    await server.stop();
  });

  it("lets watches go on after a restart", async () => {
    const first = await startTarget({ storage: { file } });
    const before = createApi(first.target);
    const { body } = await before.post(configMaps("default"), configMap("a", { v: "1" }));
    await before.mergePatch(`${configMaps("default")}/a`, { metadata: { labels: { x: "y" } } });
    await before.mergePatch(`${configMaps("default")}/a`, { metadata: { labels: { x: null } } });
    await before.delete(`${configMaps("default")}/a`);
    await before.close();
    await first.server.stop();

    const second = await startTarget({ storage: { file } });
    const api = createApi(second.target);
    const query = { resourceVersion: body.metadata.resourceVersion, labelSelector: "x=y" };
    const watch = await api.watch(configMaps("default"), { query });
    expect((await watch.next()).type).toBe("ADDED");
    expect((await watch.next()).type).toBe("DELETED");
    watch.close();
    const exact = { resourceVersion: body.metadata.resourceVersion, resourceVersionMatch: "Exact" };
    const old = await api.get(configMaps("default"), { query: exact });
    expect(old.body.items[0].data).toEqual({ v: "1" });
    await api.close();
    await second.server.stop();
  });

  it("is refused to a second server", async () => {
    const server = await startServer({ storage: { file } });
    await expect(startServer({ storage: { file } })).rejects.toMatchObject({ code: "apiserver.storage_locked" });
    await server.stop();
    const child = await startChild(file);
    await expect(startServer({ storage: { file } })).rejects.toMatchObject({ code: "apiserver.storage_locked" });
    child.process.kill("SIGKILL");
    await once(child.process, "exit");
    const next = await startServer({ storage: { file } });
    await next.stop();
  });

  it("is refused when it is damaged", async () => {
    writeFileSync(file, "this is no database, whatever its name may say ".repeat(100));
    await expect(startServer({ storage: { file } })).rejects.toMatchObject({ code: "apiserver.storage_corrupt" });
  });
});
