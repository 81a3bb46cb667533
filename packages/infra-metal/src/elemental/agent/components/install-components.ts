import { plainTar } from "../../archive/plain-tar.ts";
import { TarError } from "../../archive/read-tar.ts";
import { UnpackError, unpackTar } from "../../archive/unpack.ts";
import { bundleError } from "../../bundle/bundle-errors.ts";
import { bundleLimits } from "../../bundle/bundle-limits.ts";
import { selectLayer } from "../../bundle/select-layer.ts";
import { checkSignature } from "../../bundle/signature.ts";
import type { HostSystem, ProgramResult } from "../host-system.ts";
import { download } from "./download.ts";
import type { OrderedBundle } from "./ordered-bundle.ts";
import { readOsRelease, type OsRelease } from "./os-release.ts";

const script = "install.sh";
const osReleasePath = "/etc/os-release";
const rebootStatus = 10;
const timeoutMs = 15 * 60_000;
const outputBytes = 4096;

/** Result of an installation. */
export type Installed = "installed" | "reboot" | "unchanged";

export interface ComponentsOptions {
  readonly system: HostSystem;
  readonly workDir: string;
  readonly signal: AbortSignal;
}

const rootOf = ({ workDir }: Pick<ComponentsOptions, "workDir">): string => `${workDir}/components`;
const markerOf = (options: Pick<ComponentsOptions, "workDir">): string => `${rootOf(options)}/installed`;
const folderOf = (options: Pick<ComponentsOptions, "workDir">, digest: string): string =>
  `${rootOf(options)}/${digest.replace("sha256:", "")}`;

/** Digest of the bundle that is installed. */
export const installedBundle = async ({ system, workDir }: Omit<ComponentsOptions, "signal">): Promise<string> => {
  const bytes = await system.files.read(markerOf({ workDir }));
  return bytes === undefined ? "" : Buffer.from(bytes).toString("utf8").trim();
};

const osReleaseOf = async ({ system }: Pick<ComponentsOptions, "system">): Promise<OsRelease> => {
  const bytes = await system.files.read(osReleasePath);
  return readOsRelease(Buffer.from(bytes ?? []).toString("utf8"));
};

const unpack = async (archive: string, folder: string, { system }: ComponentsOptions): Promise<void> => {
  const { files } = system;
  const partial = `${folder}.partial`;
  await files.remove(partial);
  try {
    await unpackTar(() => plainTar(files.stream(archive)), { files, folder: partial, limits: bundleLimits });
  } catch (error) {
    await files.remove(partial);
    const isItsOwn = error instanceof UnpackError || error instanceof TarError;
    if (!isItsOwn && !/^(?:Z|ZSTD)_/.test(String((error as { code?: unknown }).code))) throw error;
    throw bundleError("verification_failed", `its archive is not unpacked: ${(error as Error).message}`, error);
  }
  await files.remove(folder);
  await files.rename(partial, folder);
};

interface Run {
  readonly action: "install" | "remove" | "upgrade";
  readonly digest: string;
  readonly previous: string;
  readonly more: Pick<OrderedBundle, "environment" | "kubernetesVersion" | "role">;
}

const runScript = async (
  { action, digest, more, previous }: Run,
  options: ComponentsOptions,
): Promise<ProgramResult> => {
  const { system, signal } = options;
  const release = await osReleaseOf(options);
  const directory = folderOf(options, digest);
  return system.run({
    program: `./${script}`,
    directory,
    environment: {
      ...more.environment,
      CAPSTAN_ACTION: action,
      CAPSTAN_BUNDLE_DIGEST: digest,
      CAPSTAN_PREVIOUS_DIGEST: previous,
      CAPSTAN_KUBERNETES_VERSION: more.kubernetesVersion,
      CAPSTAN_OS_ID: release.id,
      CAPSTAN_OS_VERSION: release.version,
      CAPSTAN_ARCH: system.architecture,
      CAPSTAN_ROLE: more.role,
    },
    timeoutMs,
    outputBytes,
    signal,
  });
};

const failed = ({ output, status }: ProgramResult): Error =>
  bundleError(
    "install_failed",
    `${script} ${status === undefined ? `did not end within ${timeoutMs / 60_000} minutes` : `ended with status ${status}`}; the end of its output: ${output.trim()}`,
  );

/** Fetches, checks and installs a bundle, unless it is installed already. Throws `elemental.bundle_*`, `elemental.unreachable`. */
export const installComponents = async (bundle: OrderedBundle, options: ComponentsOptions): Promise<Installed> => {
  const { description, readBlob, signature } = bundle;
  const { system } = options;
  const { digest } = description;
  const previous = await installedBundle(options);
  if (previous === digest) return "unchanged";
  if (signature.required) checkSignature(digest, description.signatures, signature.publicKeys);
  const release = await osReleaseOf(options);
  const platform = { architecture: system.architecture, osIds: [release.id, ...release.like] };
  const layer = selectLayer(digest, description.documents, platform);
  const archive = `${folderOf(options, digest)}.archive`;
  await download(layer, { files: system.files, path: archive, readBlob });
  await unpack(archive, folderOf(options, digest), options);
  if ((await system.files.size(`${folderOf(options, digest)}/${script}`)) === undefined) {
    throw bundleError("install_failed", `it has no ${script} at its root`);
  }
  const action = previous === "" ? "install" : "upgrade";
  const result = await runScript({ action, digest, previous, more: bundle }, options);
  if (result.status !== 0 && result.status !== rebootStatus) throw failed(result);
  await system.files.write(markerOf(options), digest);
  await system.files.remove(archive);
  if (previous !== "") await system.files.remove(folderOf(options, previous));
  return result.status === rebootStatus ? "reboot" : "installed";
};

/** Lets the installed bundle undo what it did. Whatever comes of it, nothing is installed any more; answers what went wrong. */
export const removeComponents = async (options: ComponentsOptions): Promise<string | undefined> => {
  const digest = await installedBundle(options);
  if (digest === "") return undefined;
  let problem: string | undefined;
  try {
    const more = { environment: {}, kubernetesVersion: "", role: "" };
    const result = await runScript({ action: "remove", digest, previous: digest, more }, options);
    problem = result.status === 0 || result.status === rebootStatus ? undefined : failed(result).message;
  } catch (error) {
    options.signal.throwIfAborted();
    problem = (error as Error).message;
  }
  await options.system.files.remove(rootOf(options));
  return problem;
};
