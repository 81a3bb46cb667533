import { bundleError } from "./bundle-errors.ts";

/** Where a bundle is. */
export interface ImageReference {
  /** Host, and port if there is one. */
  readonly registry: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

const hub = "docker.io";
const pattern =
  /^(?:([a-zA-Z0-9.-]+(?::\d+)?|\[[0-9a-f:]+\](?::\d+)?)\/)?([a-z0-9]+(?:(?:[._]|__|-+|\/)[a-z0-9]+)*)(?::(\w[\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/;

/** True if the text before the first slash is a registry: only if it cannot be part of a name. */
const isRegistry = (text: string): boolean => /[.:\]]/.test(text) || text === "localhost";

/** Reads an image reference as container tools do; `undefined` when it is none. */
export const parseImageReference = (text: string): ImageReference | undefined => {
  const slash = text.indexOf("/");
  const first = text.slice(0, Math.max(slash, 0));
  const whole = slash > 0 && isRegistry(first) ? text : `${hub}/${slash > 0 ? text : `library/${text}`}`;
  const [, registry, repository, tag, digest] = pattern.exec(whole) ?? [];
  if (registry === undefined || repository === undefined) return undefined;
  return {
    registry: registry === hub ? "registry-1.docker.io" : registry,
    repository,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
};

/** As `parseImageReference`; throws `elemental.bundle_reference_invalid`. */
export const imageReference = (text: string): ImageReference => {
  const reference = parseImageReference(text);
  if (reference !== undefined) return reference;
  throw bundleError(
    "reference_invalid",
    `${JSON.stringify(text)} is not an image reference such as registry.example/bundle:1.0`,
  );
};

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/** Where the registry answers. Registries of this computer speak plain HTTP, as for other container tools. */
export const registryUrl = ({ registry }: Pick<ImageReference, "registry">): string =>
  `${loopback.test(registry) ? "http" : "https"}://${registry}`;
