type Texts = Readonly<Record<string, string>>;

/** The `package.json` of a package of the repository, as far as packing reads it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, string | Texts>>;
  readonly dependencies?: Texts;
  readonly devDependencies?: Texts;
  readonly scripts?: Texts;
  readonly [field: string]: unknown;
}

const ranged = (dependencies: Texts): Texts =>
  Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => [
      name,
      name.startsWith("@capstan/") ? `^${version}` : version,
    ]),
  );

const built = (target: string | Texts): string | Texts => {
  if (typeof target === "string") return target;
  const { "@capstan/source": _source, ...rest } = target;
  return rest;
};

/** The manifest as it is published: without what is for the repository alone, and with ranges for what is released together. */
export const packedManifest = ({ devDependencies: _tools, scripts: _scripts, ...manifest }: Manifest): Manifest => ({
  ...manifest,
  ...(manifest.exports !== undefined && {
    exports: Object.fromEntries(Object.entries(manifest.exports).map(([entry, target]) => [entry, built(target)])),
  }),
  ...(manifest.dependencies !== undefined && { dependencies: ranged(manifest.dependencies) }),
});
