import type { DefaultCredentialsV1 } from "@capstan/contract/v1";
import { Option } from "commander";
import { folder, list } from "../flag-values.ts";

export interface DefaultCredentialsFlags {
  readonly defaultCredentialsNamespaces?: readonly string[];
  readonly credentialsFolder?: string;
}

export const defaultCredentialsNamespacesOption = (): Option =>
  new Option(
    "--default-credentials-namespaces <names>",
    "comma-separated namespaces whose objects may use the manager's own credentials, identities and files; '*' for all (default: none)",
  ).argParser(list);

export const credentialsFolderOption = (): Option =>
  new Option("--credentials-folder <folder>", "folder of the files that identities may name (default: none)").argParser(
    folder,
  );

/** Whom the manager's own credentials serve, as the flags say: no one unless they name namespaces. */
export const defaultCredentialsOf = (flags: DefaultCredentialsFlags): DefaultCredentialsV1 => {
  const { credentialsFolder, defaultCredentialsNamespaces = [] } = flags;
  return {
    namespaces: defaultCredentialsNamespaces.includes("*") ? "*" : [...new Set(defaultCredentialsNamespaces)],
    ...(credentialsFolder !== undefined && { folder: credentialsFolder }),
  };
};

/** The same as words of a command line. */
export const defaultCredentialsWords = ({
  folder: path,
  namespaces = "*",
}: DefaultCredentialsV1): readonly string[] => {
  const names = namespaces === "*" ? ["*"] : namespaces;
  return [
    ...(names.length === 0 ? [] : [`--default-credentials-namespaces=${names.join(",")}`]),
    ...(path === undefined ? [] : [`--credentials-folder=${path}`]),
  ];
};
