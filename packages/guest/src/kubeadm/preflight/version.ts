/** A version in parts; `undefined` for what is none. */
interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Without the `v`, as kubeadm prints versions. */
  readonly text: string;
}

export const versionOf = (text: string): Version | undefined => {
  const found = /^v?((\d+)\.(\d+)\.(\d+)(?:[-+][0-9A-Za-z.+-]+)?)$/.exec(text.trim());
  if (found === null) return undefined;
  const [, bare = "", major, minor, patch] = found;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), text: bare };
};

/** The minor version of a kubeadm, of which its checks depend. */
export const minorOf = (version: string): number => versionOf(version)?.minor ?? 0;
