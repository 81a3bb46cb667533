/** A package that a repository has. */
export interface Package {
  readonly name: string;
  /** The newest version first, as the repository writes them. */
  readonly versions: readonly string[];
  /** Programs that it brings, with the version of the package. Default: one of its name. */
  readonly programs?: readonly string[];
  readonly services?: readonly string[];
  readonly depends?: readonly string[];
  /** Further files by their paths, with what is in them. */
  readonly files?: Readonly<Record<string, string>>;
}
