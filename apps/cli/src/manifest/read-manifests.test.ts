import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkManifestPaths, parseManifest, readManifestFiles } from "./read-manifests.ts";

const none = (): undefined => undefined;
const root = mkdtempSync(join(tmpdir(), "capstan-manifests-"));
afterAll(() => rmSync(root, { recursive: true }));
const newFolder = (): string => mkdtempSync(join(root, "folder-"));
const configMap = (name: string): string => JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const parse = (text: string) => parseManifest(text, "m.yaml", none);

describe("manifests", () => {
  it("are split into objects with their places, lists taken apart", () => {
    const text =
      "# x\n---\napiVersion: v1\nkind: A\nmetadata: {name: a}\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: B, metadata: {name: b}}\n---\n";
    expect(parse(text).map(({ object, source }) => [object.kind, source])).toEqual([
      ["A", "m.yaml:3"],
      ["B", "m.yaml:7"],
    ]);
  });

  it.each([
    ["a: [", /m\.yaml:1: /],
    ["- x", /m\.yaml:1: not a Kubernetes object/],
    ["kind: A", /apiVersion is missing/],
    ["apiVersion: v1\nkind: A", /A: metadata\.name is missing/],
  ])("%j is refused", (text, message) => expect(() => parse(text)).toThrow(message));

  it("come from files and folders", async () => {
    const folder = newFolder();
    for (const name of ["b.yaml", "a.json"]) writeFileSync(join(folder, name), configMap(name));
    writeFileSync(join(folder, "note.txt"), "no manifest");
    const files = await readManifestFiles([folder], none);
    expect(files.map(({ source, objects }) => [source, objects.map(({ object }) => object.metadata.name)])).toEqual([
      [join(folder, "a.json"), ["a.json"]],
      [join(folder, "b.yaml"), ["b.yaml"]],
    ]);
  });

  it("come from folders in folders where that is asked for, but for hidden ones", async () => {
    const folder = newFolder();
    for (const name of ["b/c.yaml", "b/a/d.yaml", "e.yaml", ".hidden/f.yaml"]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), configMap("x"));
    }
    const sources = async (recursive?: boolean) =>
      (await readManifestFiles([folder], none, { recursive })).map(({ source }) => relative(folder, source));
    expect(await sources(true)).toEqual(["b/a/d.yaml", "b/c.yaml", "e.yaml"]);
    expect(await sources()).toEqual(["e.yaml"]);
    await expect(readManifestFiles([join(folder, "b/a/.."), join(folder, ".")], none)).resolves.toHaveLength(2);
    rmSync(join(folder, "e.yaml"));
    await expect(readManifestFiles([folder], none)).rejects.toThrow("-R reads subfolders");
  });

  it.each([
    ["nope.yaml", /-f .*nope\.yaml: no such file or folder \(from \/.*\)/],
    ["empty.yaml", /-f .*empty\.yaml: declares no object/],
    ["comment.yaml", /-f .*comment\.yaml: declares no object/],
    ["none", /-f .*none: the folder has no \.yaml, \.yml or \.json file/],
  ])("%s is refused with the reason", async (name, message) => {
    const folder = newFolder();
    writeFileSync(join(folder, "empty.yaml"), "");
    writeFileSync(join(folder, "comment.yaml"), "# nothing\n---\n");
    mkdirSync(join(folder, "none"));
    await expect(readManifestFiles([join(folder, name)], none)).rejects.toThrow(message);
  });

  it("a URL of another scheme is refused as what it is", () => {
    const url = "ftp://files.example/a.yaml";
    expect(() => checkManifestPaths([url])).toThrow(
      `-f ${url}: only http and https URLs are supported; download the file and name it`,
    );
  });

  it("an empty name is refused as what it is", () => {
    const empty = join(newFolder(), "empty.yaml");
    writeFileSync(empty, "");
    expect(() => checkManifestPaths(["-", empty])).toThrow(`-f ${empty}: declares no object`);
    expect(() => checkManifestPaths(["-", ""])).toThrow("-f: must name a file, a folder or a URL; it is empty");
  });

  it("come from URLs, over redirections", async () => {
    const server = createServer(({ url }, response) => {
      if (url === "/moved") response.writeHead(302, { location: "/there.yaml" }).end();
      else if (url === "/round") response.writeHead(302, { location: "/round" }).end();
      else if (url === "/there.yaml") response.end(configMap("fetched"));
      else response.writeHead(404).end();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [file] = await readManifestFiles([`${at}/moved`], none);
    expect(file).toMatchObject({ source: `${at}/moved`, objects: [{ object: { metadata: { name: "fetched" } } }] });
    await expect(readManifestFiles([`${at}/nope`], none)).rejects.toThrow(`-f ${at}/nope: the server answered 404`);
    await expect(readManifestFiles([`${at}/round`], none)).rejects.toThrow("more than 5 redirects");
    server.close();
    await expect(readManifestFiles([`${at}/moved`], none)).rejects.toThrow(/-f http:.*ECONNREFUSED/);
  });
});
