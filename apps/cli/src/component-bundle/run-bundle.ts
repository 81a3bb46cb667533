import { readFileSync, statSync } from "node:fs";
import { CapstanError } from "@capstan/contract";
import {
  buildBundle,
  bundleLimits,
  httpRequests,
  imageReference,
  inspectBundle,
  type InspectedBundle,
  openLayout,
  pushBundle,
  registrySource,
  resolveBundle,
  signBundle,
  signingKey,
} from "@capstan/infra-metal/bundles";
import { documentText } from "../document-output.ts";
import { runCommand } from "../run-command.ts";
import { textTable } from "../text-table.ts";
import type { BundleRequest } from "./bundle-options.ts";
import { storedCredentials } from "./registry-credentials.ts";

type Asked<Action> = Extract<BundleRequest, { readonly action: Action }>;

interface BundleParts {
  readonly write: (text: string) => void;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

const textOf = (file: string, flag: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CapstanError({
      code: "bundle.file_unreadable",
      reason: "FileUnreadable",
      message: `${flag} ${file} cannot be read: ${(error as Error).message}`,
      retry: { kind: "never" },
      cause: error,
    });
  }
};

const publicKey = (file: string): string => {
  const pem = textOf(file, "--key");
  if (signingKey(pem) !== undefined) return pem;
  throw new CapstanError({
    code: "bundle.key_invalid",
    reason: "KeyInvalid",
    message: `--key ${file} is not a public key of ECDSA P-256 or Ed25519 in PEM; name the .pub file`,
    retry: { kind: "never" },
  });
};

const build = async ({ tag, to, variants }: Asked<"build">, { write }: BundleParts): Promise<number> => {
  write(`${await buildBundle({ variants, to, tag, limits: bundleLimits })}\n`);
  return 0;
};

const isFolder = (place: string): boolean => statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

const inspected = async (request: Asked<"inspect">, { environment, signal }: BundleParts): Promise<InspectedBundle> => {
  const { authFile, keys, place } = request;
  const options = { publicKeys: keys.map(publicKey), limits: bundleLimits };
  if (isFolder(place)) {
    const layout = await openLayout(place);
    return inspectBundle(layout, await layout.bundle(), options);
  }
  const reference = imageReference(place);
  const credentials = storedCredentials(reference.registry, { environment, file: authFile });
  const requests = httpRequests();
  try {
    const source = registrySource(reference, { requests, signal, credentials, hint });
    return await inspectBundle(source, await resolveBundle(reference, source), options);
  } finally {
    await requests.close();
  }
};

const hint = "log in with docker login, podman login or skopeo login";

const saidOf = ({ digest, parts, signatures, signed }: InspectedBundle): string => {
  const rows = parts.map(({ archive, osIds, platform, size }) => [
    platform,
    osIds.join(",") || "all",
    String(size),
    archive,
  ]);
  const table = textTable(["PLATFORM", "SYSTEMS", "BYTES", "ARCHIVE"], rows);
  const by = signed === undefined ? "" : `, ${signed ? "one" : "none"} by a given key`;
  return [digest, ...table, `signatures: ${signatures}${by}`, ""].join("\n");
};

const inspect = async (request: Asked<"inspect">, parts: BundleParts): Promise<number> => {
  const bundle = await inspected(request, parts);
  parts.write(request.output === "text" ? saidOf(bundle) : await documentText(bundle, request.output));
  return bundle.signed === false ? 1 : 0;
};

const sign = async ({ key, layout, passphraseFile }: Asked<"sign">, { write }: BundleParts): Promise<number> => {
  const passphrase = passphraseFile === undefined ? undefined : textOf(passphraseFile, "--passphrase-file").trimEnd();
  write(await signBundle(await openLayout(layout), { pem: textOf(key, "--key"), passphrase }));
  return 0;
};

const push = async (request: Asked<"push">, { environment, signal, write }: BundleParts): Promise<number> => {
  const { authFile, image, layout } = request;
  const reference = imageReference(image);
  const credentials = storedCredentials(reference.registry, { environment, file: authFile });
  const requests = httpRequests();
  try {
    const digest = await pushBundle(await openLayout(layout), reference, { requests, signal, credentials, hint });
    write(`${image.split("@")[0]}@${digest}\n`);
    return 0;
  } finally {
    await requests.close();
  }
};

/** Does what was asked; resolves to the exit status. */
export const performBundle = (request: BundleRequest, parts: BundleParts): Promise<number> => {
  if (request.action === "build") return build(request, parts);
  if (request.action === "inspect") return inspect(request, parts);
  return request.action === "sign" ? sign(request, parts) : push(request, parts);
};

/** `capstan bundle`: resolves to the exit status. */
export const runBundle = (request: BundleRequest, write: (text: string) => void): Promise<number> =>
  runCommand({ interrupted: 130 }, (signal) => performBundle(request, { write, signal, environment: process.env }));
