import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { performBundle } from "../../src/component-bundle/run-bundle.ts";
import type { BundleRequest } from "../../src/component-bundle/bundle-options.ts";

const isInstalled = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;
const missing = ["docker-registry", "skopeo"].filter((program) => !isInstalled(program));
const hasCosign = isInstalled("cosign");
if (missing.length > 0) console.log(`bundles in a registry are skipped: install ${missing.join(" and ")}`);
else if (!hasCosign) console.log("signatures checked by cosign are skipped: install cosign");

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
};

describe.skipIf(missing.length > 0)("bundles in the registry of Debian's docker-registry", () => {
  const root = mkdtempSync(join(tmpdir(), "capstan-registry-"));
  const at = (...names: readonly string[]): string => join(root, ...names);
  let registry: ChildProcess;
  let image: string;
  let digest: string;

  const bundle = async (request: BundleRequest): Promise<string> => {
    const said: string[] = [];
    const { signal } = new AbortController();
    const parts = { write: (text: string) => void said.push(text), environment: { DOCKER_CONFIG: root }, signal };
    expect(await performBundle(request, parts)).toBe(0);
    return said.join("");
  };
  const inspect = async (place: string): Promise<unknown> => {
    const asked = { action: "inspect", place, keys: [at("key.pub")], authFile: undefined, output: "json" } as const;
    return JSON.parse(await bundle(asked));
  };
  const skopeo = (...words: readonly string[]): string => execFileSync("skopeo", words, { encoding: "utf8" });

  beforeAll(async () => {
    const port = await freePort();
    image = `127.0.0.1:${port}/bundles/tool:1.0`;
    const storage = { filesystem: { rootdirectory: at("registry") } };
    writeFileSync(at("config.yml"), JSON.stringify({ version: 0.1, storage, http: { addr: `127.0.0.1:${port}` } }));
    registry = spawn("docker-registry", ["serve", at("config.yml")], { stdio: ["ignore", "ignore", "pipe"] });
    if (registry.stderr === null) throw new Error("docker-registry has no output");
    for await (const line of createInterface(registry.stderr)) if (line.includes("listening on")) break;
    registry.stderr.resume();
    mkdirSync(at("files"));
    writeFileSync(at("files", "install.sh"), "#!/bin/sh\n", { mode: 0o755 });
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    writeFileSync(at("key.pem"), privateKey.export({ format: "pem", type: "pkcs8" }));
    const variants = [
      { folder: at("files"), architecture: "amd64", osIds: [] },
      { folder: at("files"), architecture: "arm64", osIds: ["sles"] },
    ];
    digest = (await bundle({ action: "build", variants, to: at("layout"), tag: "1.0" })).trim();
    const signing = { action: "sign", layout: at("layout"), key: at("key.pem"), passphraseFile: undefined } as const;
    writeFileSync(at("key.pub"), await bundle(signing));
    await bundle({ action: "push", layout: at("layout"), image, authFile: undefined });
  });
  afterAll(async () => {
    registry.kill();
    await once(registry, "exit");
    rmSync(root, { recursive: true });
  });

  it("are read there, with their signature", async () => {
    expect(await inspect(image)).toMatchObject({ digest, signatures: 1, signed: true });
    await bundle({ action: "push", layout: at("layout"), image, authFile: undefined });
  });

  it("are copied by skopeo, there and back, with the same digest", async () => {
    const copy = image.replace("tool", "copy");
    skopeo("copy", "--all", "--src-tls-verify=false", `docker://${image}`, `oci:${at("copied")}:1.0`);
    expect(await inspectUnsigned(at("copied"))).toMatchObject({ digest, signatures: 0 });
    skopeo("copy", "--all", "--dest-tls-verify=false", `oci:${at("layout")}:1.0`, `docker://${copy}`);
    expect(await inspectUnsigned(copy)).toMatchObject({ digest });
  });

  it.skipIf(!hasCosign)("are verified by cosign", () => {
    const words = ["verify", "--key", at("key.pub"), "--insecure-ignore-tlog", "--allow-insecure-registry", image];
    expect(execFileSync("cosign", words, { encoding: "utf8" })).toContain(digest);
  });

  const inspectUnsigned = async (place: string): Promise<unknown> =>
    JSON.parse(await bundle({ action: "inspect", place, keys: [], authFile: undefined, output: "json" }));
});
