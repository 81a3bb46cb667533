import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { kustomization } from "./kustomize.ts";
import { checkManifestPaths, readManifestFiles } from "./read-manifests.ts";

const root = mkdtempSync(join(tmpdir(), "capstan-kustomize-"));
afterAll(() => rmSync(root, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const overlay = join(root, "overlay");
mkdirSync(overlay);

/** The only programs of the path. */
const programs = (scripts: Readonly<Record<string, string>>): void => {
  const folder = mkdtempSync(join(root, "bin-"));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  vi.stubEnv("PATH", folder);
};

/** Prints a ConfigMap whose data are the arguments. */
const printing = `echo "apiVersion: v1
kind: ConfigMap
metadata:
  name: made
data:
  given: \\"$*\\""`;

const read = async () => {
  const [file] = await readManifestFiles([kustomization(overlay)], () => undefined);
  const [item] = file?.objects ?? [];
  return { source: item?.source, given: (item?.object["data"] as { readonly given?: string } | undefined)?.given };
};

describe("a kustomization", () => {
  it("is built by kubectl, or by kustomize where kubectl is not there", async () => {
    programs({ kubectl: printing, kustomize: "exit 1" });
    expect(await read()).toEqual({ source: `kustomize:${overlay}:1`, given: `kustomize ${overlay}` });
    programs({ kustomize: printing });
    expect(await read()).toMatchObject({ given: `build ${overlay}` });
  });

  it("is not applied as a manifest", async () => {
    const file = join(overlay, "kustomization.yaml");
    writeFileSync(file, "resources: [a.yaml]\n");
    await expect(readManifestFiles([overlay], () => undefined)).rejects.toThrow(
      `${file}:1: apiVersion is missing; use -k with its folder to build a kustomization`,
    );
  });

  it("names what is in the way", async () => {
    programs({});
    await expect(read()).rejects.toThrow(
      `-k ${overlay}: kustomizations need kubectl or kustomize; install one of them`,
    );
    programs({ kubectl: "echo 'error: unable to find one of kustomization.yaml' >&2; exit 1" });
    await expect(read()).rejects.toThrow(`-k ${overlay}: unable to find one of kustomization.yaml`);
    expect(() => checkManifestPaths([kustomization(join(root, "none"))])).toThrow(/^-k .*none: no such file or folder/);
  });
});
