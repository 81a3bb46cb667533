/** Versions of the APIs of an Azure Stack Hub: those of Azure's profile 2020-09-01-hybrid. The first that fits counts. */
const profile: readonly (readonly [provider: RegExp, version: string])[] = [
  [/^Microsoft\.Compute\/skus/i, "2019-04-01"],
  [/^Microsoft\.Compute\/disks/i, "2019-07-01"],
  [/^Microsoft\.Compute\//i, "2020-06-01"],
  [/^Microsoft\.Network\//i, "2018-11-01"],
  [/^Microsoft\.ManagedIdentity\//i, "2018-11-30"],
  [/^Microsoft\.Authorization\//i, "2015-07-01"],
  [/^/, "2019-10-01"],
];

/** The version that a path is asked with at an Azure Stack Hub: that which bodies are written for, unless its own is older. */
export const stackVersion = (path: string, version: string): string => {
  const provider =
    path
      .split(/\/providers\//i)
      .slice(1)
      .at(-1) ?? "";
  const [, known = version] = profile.find(([pattern]) => pattern.test(provider)) ?? [];
  return known < version ? known : version;
};
