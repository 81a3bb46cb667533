import { forbidden, invalid, required } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";

interface File {
  readonly path: string;
  readonly permissions?: string;
  readonly content?: string;
  readonly contentFrom?: { readonly secret?: unknown; readonly configMap?: unknown };
}

const inConfig = (field: string, name: string): Cause =>
  forbidden(field, `the provider writes ${name}; put your settings into a file in ${name}.d`);

const checkFile = (file: File, field: string, configFile: string): readonly Cause[] => {
  const { content, contentFrom, path, permissions } = file;
  const isEmptySource =
    contentFrom !== undefined && contentFrom.secret === undefined && contentFrom.configMap === undefined;
  return [
    ...(path.startsWith("/") ? [] : [invalid(`${field}.path`, path, "must begin with /")]),
    ...(path === configFile ? [inConfig(`${field}.path`, configFile)] : []),
    ...(permissions === undefined || permissions === "" || /^[0-7]{3,4}$/.test(permissions)
      ? []
      : [invalid(`${field}.permissions`, permissions, "must be an octal mode, for example 0640")]),
    ...(content !== undefined && content !== "" && contentFrom !== undefined
      ? [forbidden(`${field}.content`, "content and contentFrom are mutually exclusive")]
      : []),
    ...(isEmptySource ? [required(`${field}.contentFrom`, "name a Secret or ConfigMap")] : []),
  ];
};

/** Validates files to write. `configFile` is the provider's own. */
export const checkFiles = (files: readonly File[] = [], field: string, configFile: string): readonly Cause[] =>
  files.flatMap((file, index) => checkFile(file, `${field}[${index}]`, configFile));
