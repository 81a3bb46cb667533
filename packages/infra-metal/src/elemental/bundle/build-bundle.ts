import { createReadStream } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { create } from "tar";
import { createGunzip } from "node:zlib";
import { checkTar, type UnpackLimits } from "../archive/unpack.ts";
import { bundleError } from "./bundle-errors.ts";
import { LayoutFolder, type StoredBlob } from "./layout-folder.ts";
import { osAnnotation } from "./select-layer.ts";

/** The files of a bundle for one platform. */
export interface BundleVariant {
  /** Has `install.sh` at its root. */
  readonly folder: string;
  /** As OCI images name it: `amd64`, `arm64`. */
  readonly architecture: string;
  /** Values of ID or ID_LIKE in /etc/os-release. Empty: all. */
  readonly osIds: readonly string[];
}

export interface BuildOptions {
  readonly variants: readonly BundleVariant[];
  /** The layout to make; nothing may be there. */
  readonly to: string;
  /** The name of the bundle in the layout, which tools of others show as its tag. */
  readonly tag: string;
  readonly limits: UnpackLimits;
}

const manifestType = "application/vnd.oci.image.manifest.v1+json";
const indexType = "application/vnd.oci.image.index.v1+json";
const layerType = "application/vnd.oci.image.layer.v1.tar+gzip";
const emptyType = "application/vnd.oci.empty.v1+json";

const wrong = (message: string, cause?: unknown): Error => bundleError("build_failed", message, cause);

const checkScript = async (folder: string): Promise<void> => {
  const script = join(folder, "install.sh");
  const stats = await stat(script).catch(() => undefined);
  if (stats?.isFile() !== true) throw wrong(`${script} is missing; it is what hosts run`);
  if ((stats.mode & 0o100) === 0) throw wrong(`${script} is not executable; run chmod +x ${script}`);
};

/** Paths below a folder, in an order of their own. A dot comes first, since a name that begins with @ means something to `tar`. */
const pathsIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true });
  return entries.map((path) => `./${path}`).toSorted((left, right) => (left < right ? -1 : 1));
};

/** The same files give the same bytes, whoever packs them, wherever and whenever. */
const pack = async (folder: string): Promise<AsyncIterable<Uint8Array>> => {
  const options = { cwd: folder, portable: true, noDirRecurse: true, mtime: new Date(0), strict: true };
  return create({ ...options, gzip: { level: 9 } }, [...(await pathsIn(folder))]);
};

/** Checks an archive as hosts do, so that nobody pushes what every host refuses. */
const checkArchive = async (layout: LayoutFolder, { digest }: StoredBlob, limits: UnpackLimits): Promise<void> => {
  const path = join(layout.folder, "blobs", "sha256", digest.replace("sha256:", ""));
  await checkTar(createReadStream(path).pipe(createGunzip()), limits);
};

const manifestOf = async (layout: LayoutFolder, variant: BundleVariant, limits: UnpackLimits): Promise<object> => {
  const { architecture, folder, osIds } = variant;
  await checkScript(folder);
  let layer: StoredBlob;
  try {
    layer = await layout.putStream(layerType, await pack(folder));
    await checkArchive(layout, layer, limits);
  } catch (error) {
    throw wrong(`${folder} cannot be packed: ${(error as Error).message}`, error);
  }
  const config = await layout.put(emptyType, Buffer.from("{}"));
  const body = { schemaVersion: 2, mediaType: manifestType, config, layers: [layer] };
  return {
    ...(await layout.put(manifestType, body)),
    platform: { os: "linux", architecture },
    ...(osIds.length > 0 && { annotations: { [osAnnotation]: osIds.join(",") } }),
  };
};

const checkVariants = (variants: readonly BundleVariant[]): void => {
  const seen = new Set<string>();
  for (const { architecture, osIds } of variants) {
    for (const osId of osIds.length === 0 ? ["every system"] : osIds) {
      const platform = `${architecture} and ${osId}`;
      if (seen.has(platform)) throw wrong(`two folders are for ${platform}; name one`);
      seen.add(platform);
    }
  }
};

/** Packs folders as a bundle, into an OCI layout; returns its digest. Throws `elemental.bundle_build_failed`. */
export const buildBundle = async ({ limits, tag, to, variants }: BuildOptions): Promise<string> => {
  checkVariants(variants);
  if ((await stat(to).catch(() => undefined)) !== undefined) throw wrong(`${to} is there already; remove it first`);
  const partial = `${to}.partial`;
  await rm(partial, { recursive: true, force: true });
  try {
    const layout = await LayoutFolder.make(partial);
    const manifests: object[] = [];
    for (const variant of variants) manifests.push(await manifestOf(layout, variant, limits));
    const index = await layout.put(indexType, { schemaVersion: 2, mediaType: indexType, manifests });
    await layout.name(tag, index);
    await rename(partial, to);
    return index.digest;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
};
