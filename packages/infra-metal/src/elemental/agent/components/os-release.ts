/** Fields of /etc/os-release that identify a system. */
export interface OsRelease {
  readonly id: string;
  /** Systems that it is like, closest first. */
  readonly like: readonly string[];
  readonly version: string;
}

const value = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/, "$2");

export const readOsRelease = (text: string): OsRelease => {
  const entries = Object.fromEntries(
    text
      .split("\n")
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf("=")), value(line.slice(line.indexOf("=") + 1))]),
  ) as Readonly<Partial<Record<string, string>>>;
  const { ID = "linux", ID_LIKE = "", VERSION_ID = "" } = entries;
  return { id: ID, like: ID_LIKE.split(/\s+/).filter((id) => id !== ""), version: VERSION_ID };
};
