import { generateKeyPairSync, randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { LayoutBuilder, registryService } from "@capstan/sim-metal";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { performBundle } from "../src/component-bundle/run-bundle.ts";
import type { BundleRequest } from "../src/component-bundle/bundle-options.ts";

const user = `Basic ${Buffer.from("builder:s:cret").toString("base64")}`;

/** A registry that takes pushes; of users with a password alone when `wantsUser` is set. */
const startRegistry = async () => {
  const layout = new LayoutBuilder();
  const service = registryService(layout, layout);
  const asked: string[] = [];
  const settings = { wantsUser: false };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { pathname, search } = new URL(request.url ?? "/", "http://registry");
    const { method = "GET" } = request;
    asked.push(`${method} ${pathname}`);
    if (settings.wantsUser && request.headers.authorization !== user) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="registry"' }).end();
      return;
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const body = new Uint8Array(Buffer.concat(parts));
    const sent = { method, path: pathname, query: search.slice(1), headers, body, serverUrl: "", client: "" };
    const answered = await service.answer(sent);
    response.writeHead(answered.status, answered.headers).end(answered.body);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { layout, asked, settings, server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const key = (type: "ec" | "ed25519", passphrase?: string): string => {
  const { privateKey } =
    type === "ec" ? generateKeyPairSync("ec", { namedCurve: "prime256v1" }) : generateKeyPairSync("ed25519");
  const locked = passphrase === undefined ? {} : { cipher: "aes-256-cbc", passphrase };
  return privateKey.export({ format: "pem", type: "pkcs8", ...locked }).toString();
};

describe("capstan bundle", () => {
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  let root: string;
  const at = (...names: readonly string[]): string => join(root, ...names);

  const bundle = async (request: BundleRequest) => {
    const said: string[] = [];
    const { signal } = new AbortController();
    const environment = { DOCKER_CONFIG: root };
    const status = await performBundle(request, { write: (text) => void said.push(text), environment, signal });
    return { status, text: said.join("") };
  };
  const build = async (to = "layout", folder = "files", osIds: readonly string[] = []): Promise<string> => {
    const variants = [{ folder: at(folder), architecture: "amd64", osIds }];
    return (await bundle({ action: "build", variants, to: at(to), tag: "1.0" })).text.trim();
  };
  const inspect = (place: string, keys: readonly string[] = []) =>
    bundle({ action: "inspect", place, keys: keys.map((name) => at(name)), authFile: undefined, output: "json" });
  const sign = async (name: string, passphraseFile?: string): Promise<string> =>
    (await bundle({ action: "sign", layout: at("layout"), key: at(name), passphraseFile })).text;
  const push = (image: string) => bundle({ action: "push", layout: at("layout"), image, authFile: undefined });

  beforeAll(async () => {
    registry = await startRegistry();
  });
  afterAll(async () => {
    registry.server.closeAllConnections();
    registry.server.close();
    await once(registry.server, "close");
  });
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "capstan-bundle-"));
    mkdirSync(at("files", "bin"), { recursive: true });
    writeFileSync(at("files", "install.sh"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(at("files", "bin", "@tool"), "tool", { mode: 0o644 });
    registry.settings.wantsUser = false;
    registry.asked.length = 0;
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it("builds the same bundle of the same files, wherever and whenever", async () => {
    const digest = await build();
    utimesSync(at("files", "install.sh"), 1, 1);
    expect(await build("again")).toBe(digest);
    writeFileSync(at("files", "bin", "@tool"), "another");
    expect(await build("changed")).not.toBe(digest);
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it.each<[string, () => void, string]>([
    ["without install.sh", () => rmSync(at("files", "install.sh")), "install.sh is missing"],
    [
      "that nobody may run",
      () => chmodSync(at("files", "install.sh"), 0o644),
      "install.sh is not executable; run chmod +x",
    ],
    [
      "with a link that leads out",
      () => symlinkSync("/etc", at("files", "etc")),
      "the link etc leads out of its folder",
    ],
    ["in place of another", () => mkdirSync(at("layout")), "layout is there already"],
  ])("builds none %s", async (_, spoil, said) => {
    spoil();
    await expect(build()).rejects.toThrow(said);
    expect(existsSync(at("layout.partial"))).toBe(false);
  });

  it("builds one for several platforms, each once", async () => {
    const files = at("files");
    const variants = [
      { folder: files, architecture: "amd64", osIds: [] },
      { folder: files, architecture: "arm64", osIds: ["sles", "debian"] },
    ];
    await bundle({ action: "build", variants, to: at("layout"), tag: "1.0" });
    const { parts } = JSON.parse((await inspect(at("layout"))).text) as { parts: readonly object[] };
    expect(parts).toMatchObject([
      { platform: "linux/amd64", osIds: [] },
      { platform: "linux/arm64", osIds: ["sles", "debian"] },
    ]);
    const twice = [...variants, { folder: files, architecture: "arm64", osIds: ["debian"] }];
    await expect(bundle({ action: "build", variants: twice, to: at("twice"), tag: "1.0" })).rejects.toThrow(
      "two folders are for arm64 and debian",
    );
  });

  it.each(["ec", "ed25519"] as const)("signs with a key of %s, once, beside the signatures of others", async (type) => {
    await build();
    writeFileSync(at("a.key"), key(type));
    writeFileSync(at("b.key"), key("ec", "open"));
    writeFileSync(at("pass"), "open\n");
    const pem = await sign("a.key");
    expect(await sign("a.key")).toBe(pem);
    writeFileSync(at("a.pub"), pem);
    writeFileSync(at("b.pub"), await sign("b.key", at("pass")));
    expect(JSON.parse((await inspect(at("layout"), ["a.pub"])).text)).toMatchObject({ signatures: 2, signed: true });
    expect(await inspect(at("layout"), ["b.pub"])).toMatchObject({ status: 0 });
    writeFileSync(at("layout", "index.json"), JSON.stringify({ manifests: [] }));
    await expect(sign("a.key")).rejects.toThrow("index.json has 0 images");
  });

  it("says what is wrong with a key", async () => {
    await build();
    writeFileSync(at("cosign.key"), "-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----\n");
    await expect(sign("cosign.key")).rejects.toThrow("in cosign's own form");
    writeFileSync(at("locked.key"), key("ec", "open"));
    await expect(sign("locked.key")).rejects.toThrow("give PEM, and its passphrase");
    await expect(sign("none.key")).rejects.toThrow(/--key .*none\.key cannot be read/);
    await expect(inspect(at("layout"), ["locked.key"])).rejects.toThrow("is not a public key");
  });

  it("pushes a bundle and its signatures, each blob once, and reads them there", async () => {
    const digest = await build();
    writeFileSync(at("a.key"), key("ec"));
    writeFileSync(at("a.pub"), await sign("a.key"));
    const image = `${registry.host}/bundles/tool:1.0`;
    expect((await push(image)).text).toBe(`${image}@${digest}\n`);
    expect(registry.layout.tags.get("bundles/tool:1.0")).toBe(digest);
    const signatures = registry.asked.findIndex((asked) => asked.endsWith(".sig"));
    expect(signatures).toBeGreaterThan(0);
    expect(signatures).toBeLessThan(registry.asked.indexOf("PUT /v2/bundles/tool/manifests/1.0"));
    expect(JSON.parse((await inspect(image, ["a.pub"])).text)).toMatchObject({ digest, signed: true });
    writeFileSync(at("b.key"), key("ec"));
    writeFileSync(at("layout-b.pub"), await sign("b.key"));
    expect((await inspect(image, ["layout-b.pub"])).status).toBe(1);
    registry.asked.length = 0;
    await push(image);
    expect(registry.asked.filter((asked) => asked.startsWith("POST"))).toHaveLength(1);
  });

  it("logs in with what other programs stored", async () => {
    await build();
    registry.settings.wantsUser = true;
    const image = `${registry.host}/private/tool:1.0`;
    await expect(push(image)).rejects.toThrow("wants credentials; log in with docker login");
    const auth = user.replace("Basic ", "");
    writeFileSync(at("config.json"), JSON.stringify({ auths: { [registry.host]: { auth } } }));
    expect(await push(image)).toMatchObject({ status: 0 });
    expect(await inspect(image)).toMatchObject({ status: 0 });
    writeFileSync(at("config.json"), auth);
    const failure = await push(image).catch((error: unknown) => String(error));
    expect(failure).toContain("cannot be read as JSON");
    expect(failure).not.toContain(auth.slice(0, 6));
  });

  it("takes what comes after the end of an archive for a part of it", async () => {
    await build();
    await push(`${registry.host}/padded/tool:1.0`);
    const { parts } = JSON.parse((await inspect(at("layout"))).text) as { parts: readonly { archive: string }[] };
    const layer = registry.layout.blobs.get(parts[0]?.archive ?? "");
    const archive = Buffer.concat([gunzipSync(layer?.bytes ?? ""), randomBytes(2 ** 20)]);
    const padded = registry.layout.put("application/vnd.oci.image.layer.v1.tar+gzip", gzipSync(archive));
    registry.layout.addManifest({ repository: "padded/tool", tag: "2.0" }, [padded]);
    expect(await inspect(`${registry.host}/padded/tool:2.0`)).toMatchObject({ status: 0 });
  });

  it("refuses a layout of which a part is missing or changed", async () => {
    writeFileSync(at("files", "of-this-layout-alone"), "");
    await build();
    const { parts } = JSON.parse((await inspect(at("layout"))).text) as { parts: readonly { archive: string }[] };
    const blob = at("layout", "blobs", "sha256", parts[0]?.archive.replace("sha256:", "") ?? "");
    writeFileSync(blob, "changed");
    await expect(inspect(at("layout"))).rejects.toThrow("is refused");
    await expect(push(`${registry.host}/broken/tool:1.0`)).rejects.toThrow("DIGEST_INVALID");
    expect(registry.layout.tags.has("broken/tool:1.0")).toBe(false);
    rmSync(blob);
    await expect(push(`${registry.host}/broken/tool:1.0`)).rejects.toThrow("copy all of the layout");
    await expect(inspect(root)).rejects.toThrow("is no OCI layout");
  });
});
