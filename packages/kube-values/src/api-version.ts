import { byText } from "./text-order.ts";

/** The group of an `apiVersion`; empty for the core group. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";

/** The version of an `apiVersion`. */
export const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf("/") + 1);

const stabilities = ["alpha", "beta", undefined];

const parse = (version: string): readonly [stability: number, major: number, minor: number] | undefined => {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  return match === null ? undefined : [stabilities.indexOf(match[2]), Number(match[1]), Number(match[3] ?? 0)];
};

/**
 * Kubernetes' order of versions, for `sort`: v2, v1, v2beta1, v1beta2, v1alpha1; names of another form come last, in
 * alphabetical order.
 */
export const compareVersions = (left: string, right: string): number => {
  const [a, b] = [parse(left), parse(right)];
  if (a === undefined || b === undefined) {
    return a === b ? byText(left, right) : a === undefined ? 1 : -1;
  }
  return b[0] - a[0] || b[1] - a[1] || b[2] - a[2];
};
