import { CapstanError } from "@capstan/contract";

/** Format of a distribution's version strings. */
export interface VersionForm {
  readonly pattern: RegExp;
  readonly example: string;
}

/** Kubernetes versions with the suffix of the distribution; installers take nothing else. */
export const rke2Version: VersionForm = {
  pattern: /^v\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?\+rke2r\d+$/,
  example: "v1.35.4+rke2r1",
};

export const k3sVersion: VersionForm = {
  pattern: /^v\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?\+k3s\d+$/,
  example: "v1.35.4+k3s1",
};

/** The version when it is one of the distribution's. Throws `distribution.version_invalid`; `field` is where it stands. */
export const checkedVersion = (version: string | undefined, field: string, form: VersionForm): string => {
  if (version !== undefined && form.pattern.test(version)) return version;
  const problem =
    version === undefined || version === "" ? "is empty" : `${JSON.stringify(version)} cannot be installed`;
  throw new CapstanError({
    code: "distribution.version_invalid",
    reason: "VersionInvalid",
    message: `${field} ${problem}; set it to a version with the distribution's suffix, for example ${form.example}`,
    retry: { kind: "never" },
  });
};

/** The minor version of a checked version. */
export const minorOf = (version: string): number => Number(version.split(".", 2)[1]);
