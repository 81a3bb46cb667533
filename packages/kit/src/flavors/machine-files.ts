import { indented } from "./yaml-parts.ts";

/** A file that a flavor writes on machines, as an entry of `files` of a KubeadmConfig. */
export interface MachineFile {
  readonly path: string;
  /** Default `0644`. */
  readonly permissions?: string;
  readonly content: string;
  /** The content is a Go template, filled with the versions of the Machine and of its control plane. Default false. */
  readonly isTemplate?: boolean;
}

/** A list `files`. `more`: further entries of it, as YAML from the left. Empty when there are none. */
export const filesOf = (files: readonly MachineFile[], more = ""): string => {
  const entries = files.map(
    ({ content, isTemplate = false, path, permissions = "0644" }) => `- path: ${path}
  owner: root:root
  permissions: "${permissions}"
${isTemplate ? "  contentFormat: Template\n" : ""}  content: |
${indented(content, 4)}`,
  );
  return entries.length === 0 && more === "" ? "" : `files:\n${indented(entries.join("") + more, 2)}`;
};

/** A list of commands, or nothing. */
export const commandsOf = (field: "preKubeadmCommands" | "postKubeadmCommands", commands: readonly string[]): string =>
  commands.length === 0 ? "" : `${field}:\n${commands.map((command) => `  - >-\n    ${command}\n`).join("")}`;

/** Runs a command on the machine that ran `kubeadm init` alone: those that join have another file. */
export const onFirstMachine = (command: string): string => `test ! -f /run/kubeadm/kubeadm.yaml || ${command}`;

/** Applies manifests to the new cluster: those of a file, or of standard input by `-`. */
export const kubectlApply = (file: string): string =>
  `kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f ${file}`;
