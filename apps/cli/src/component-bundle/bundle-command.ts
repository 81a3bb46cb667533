import { Command, InvalidArgumentError, Option } from "commander";
import { type DocumentOutput, documentOutputOption } from "../document-output.ts";
import type { BundleFolder, BundleRequest } from "./bundle-options.ts";

type Run = (request: BundleRequest) => Promise<number>;

/** `amd64=./files` or `arm64:sles,debian=./files`. */
const variant = (value: string, before: readonly BundleFolder[] = []): readonly BundleFolder[] => {
  const [, architecture, osIds = "", folder] = /^([a-z0-9]+)(?::([\w.,-]+))?=(.+)$/.exec(value) ?? [];
  if (architecture === undefined || folder === undefined) {
    throw new InvalidArgumentError(
      "must be ARCHITECTURE=FOLDER or ARCHITECTURE:SYSTEM,...=FOLDER such as amd64=./rke2.",
    );
  }
  return [...before, { architecture, folder, osIds: osIds.split(",").filter((osId) => osId !== "") }];
};

const added = (file: string, before: readonly string[] = []): readonly string[] => [...before, file];

const authFileOption = (): Option =>
  new Option("--auth-file <file>", "credentials of registries (default: $REGISTRY_AUTH_FILE, ~/.docker/config.json)");

const buildCommand = (run: Run, done: (status: number) => void): Command =>
  new Command("build")
    .description("Pack folders as a bundle, into an OCI image layout, and print its digest.")
    .argument(
      "<variants...>",
      "architecture, systems if not for all, and folder: amd64=./rke2 arm64:sles=./rke2-arm",
      variant,
    )
    .requiredOption("--to <folder>", "OCI image layout to make")
    .option("--tag <tag>", "name of the bundle in the layout", "latest")
    .addHelpText(
      "after",
      `
Each folder has an executable install.sh at its root, and is packed as it is. The same files give the same digest. What
every host would refuse (devices, links that lead out of the folder) is refused here.

Example:
  capstan bundle build amd64=./rke2-amd64 arm64=./rke2-arm64 --to ./rke2-bundle`,
    )
    .action(async (variants: readonly BundleFolder[], { tag, to }: { tag: string; to: string }) =>
      done(await run({ action: "build", variants, to, tag })),
    );

const inspectCommand = (run: Run, done: (status: number) => void): Command =>
  new Command("inspect")
    .description("Check a bundle as hosts do before they unpack it, and list its platforms and signatures.")
    .argument("<place>", "folder of an OCI image layout, or an image such as registry.example/rke2:1.0")
    .option("--key <file>", "PEM public key, one of which must have signed the bundle; may be repeated", added, [])
    .addOption(authFileOption())
    .addOption(documentOutputOption("the bundle"))
    .addHelpText(
      "after",
      `
Every archive is read to its end. The exit status is 1 when no given key has signed the bundle.

Examples:
  capstan bundle inspect ./rke2-bundle
  capstan bundle inspect registry.example/rke2:1.0 --key bundle.pub`,
    )
    .action(
      async (
        place: string,
        { authFile, key, output }: { authFile?: string; key: readonly string[]; output: DocumentOutput },
      ) => done(await run({ action: "inspect", place, keys: key, authFile, output })),
    );

const signCommand = (run: Run, done: (status: number) => void): Command =>
  new Command("sign")
    .description("Sign a bundle in a layout as cosign sign --key does, and print the public key.")
    .argument("<layout>", "folder of the OCI image layout")
    .requiredOption("--key <file>", "PEM private key, ECDSA P-256 or Ed25519")
    .option("--passphrase-file <file>", "file with the passphrase of the key")
    .addHelpText(
      "after",
      `
Signatures by other keys stay. The public key goes to spec.components.signature.publicKeys of ElementalMachines.

Example:
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out bundle.key
  capstan bundle sign ./rke2-bundle --key bundle.key > bundle.pub`,
    )
    .action(async (layout: string, { key, passphraseFile }: { key: string; passphraseFile?: string }) =>
      done(await run({ action: "sign", layout, key, passphraseFile })),
    );

const pushCommand = (run: Run, done: (status: number) => void): Command =>
  new Command("push")
    .description("Send the bundle of a layout, and its signatures, to a registry, and print it with its digest.")
    .argument("<layout>", "folder of the OCI image layout")
    .argument("<image>", "where to: registry.example/rke2:1.0")
    .addOption(authFileOption())
    .addHelpText(
      "after",
      `
What the registry has already is not sent. Registries on this computer are spoken to without TLS.

Example:
  capstan bundle push ./rke2-bundle registry.example/rke2:1.0`,
    )
    .action(async (layout: string, image: string, { authFile }: { authFile?: string }) =>
      done(await run({ action: "push", layout, image, authFile })),
    );

/** `capstan bundle` with its commands. */
export const bundleCommand = (write: (text: string) => void, done: (status: number) => void): Command => {
  const run: Run = async (request) => (await import("./run-bundle.ts")).runBundle(request, write);
  const command = new Command("bundle").description(
    "Build, check, sign and publish component bundles of Elemental hosts.",
  );
  for (const part of [buildCommand, inspectCommand, signCommand, pushCommand]) command.addCommand(part(run, done));
  return command;
};
