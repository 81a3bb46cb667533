/** In the words of bash, and of the `sh` of Debian and Ubuntu. */
const notFound = /(?:^|[\s:])([\w.+-]+): (?:command )?not found\s*$/;

/** Programs of Kubernetes. Without them nothing else of a bootstrapping matters. */
const ofKubernetes: ReadonlySet<string> = new Set(["kubeadm", "kubelet", "k3s", "rke2"]);

const fixes = {
  essential: "install Kubernetes in preKubeadmCommands, or use an image that has it",
  other: "install it before it is used, or use an image that has it",
} as const;

/** Output of installers that fail. */
const installation =
  /^(?:curl: \(\d+\)|E: |wget: |error: snap |Error: Unable to find a match|No provider of |gpg: .*(?:failed|no valid)|modprobe: FATAL|Job for \S+ failed|Failed to (?:start|restart|enable) ).*/;

/** The first failure of what installs programs; those after it are often only its consequences. */
export const installationFailure = (lines: readonly string[]): string | undefined =>
  lines
    .map((line) => installation.exec(line.replace(/^\S* ?cloud-init(?:\[\d+\])?: /, ""))?.[0])
    .find((said) => said !== undefined);

/**
 * Reports a missing program found in a log, with the fix; with `essential` only Kubernetes' own programs. An earlier
 * failure to install it is named as the cause.
 */
export const missingProgram = (
  lines: readonly string[],
  { essential }: { readonly essential: boolean },
): string | undefined => {
  for (const [index, line] of lines.entries()) {
    const name = notFound.exec(line)?.[1];
    if (name === undefined || ofKubernetes.has(name) !== essential) continue;
    const missing = `${name}: command not found`;
    const before = lines.slice(0, index);
    const failure = installationFailure(before) ?? (essential ? otherMissing(before) : undefined);
    if (failure !== undefined) return `${failure} (then ${missing}): fix what installs ${name}`;
    return `${missing}: ${essential ? fixes.essential : fixes.other}`;
  }
  return undefined;
};

const otherMissing = (lines: readonly string[]): string | undefined => {
  const name = lines.map((line) => notFound.exec(line)?.[1]).find((found) => found !== undefined);
  return name === undefined ? undefined : `${name}: command not found`;
};
